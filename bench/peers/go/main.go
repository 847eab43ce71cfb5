// Peer: the authentication packages of the original API server (k8s.io/apiserver), driven by the shared workload.
//
//	authbench bench  [-w workload] [-t ms]          one JSON line per measure
//	authbench expect [-w workload]                  decisions for every token, one JSON line each
//	authbench serve  [-w workload] [-addr host:port] [-cert f -key f] [-ttl 10s]  HTTPS TokenReview + SelfSubjectReview
//	authbench start  [-w workload] [-n 64]          time from main() to the first decision
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	oidclib "github.com/coreos/go-oidc"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	jose "gopkg.in/go-jose/go-jose.v2"
	josejwt "gopkg.in/go-jose/go-jose.v2/jwt"
	authnv1 "k8s.io/api/authentication/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/apis/apiserver"
	apiinstall "k8s.io/apiserver/pkg/apis/apiserver/install"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	authcel "k8s.io/apiserver/pkg/authentication/cel"
	"k8s.io/apiserver/pkg/authentication/group"
	reqx509 "k8s.io/apiserver/pkg/authentication/request/x509"
	saapi "k8s.io/apiserver/pkg/authentication/serviceaccount"
	tokencache "k8s.io/apiserver/pkg/authentication/token/cache"
	tokenunion "k8s.io/apiserver/pkg/authentication/token/union"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/oidc"
	"k8s.io/klog/v2"
)

type issuer struct {
	Index   int             `json:"index"`
	Profile string          `json:"profile"`
	URL     string          `json:"url"`
	Alg     string          `json:"alg"`
	JWKS    json.RawMessage `json:"jwks"`
}
type tok struct {
	Issuer int    `json:"issuer"`
	Alg    string `json:"alg"`
	Kind   string `json:"kind"`
	Token  string `json:"token"`
}

var workload, label string
var minMS int
var only map[string]bool

// wanted tells whether a measure was asked for; without -only all are.
func wanted(id string) bool { return len(only) == 0 || only[id] }

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
func readJSON(name string, v any) {
	b, err := os.ReadFile(filepath.Join(workload, name))
	must(err)
	must(json.Unmarshal(b, v))
}
func readTokens(name string) (out []tok) {
	f, err := os.Open(filepath.Join(workload, name))
	must(err)
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var t tok
		must(json.Unmarshal(s.Bytes(), &t))
		out = append(out, t)
	}
	return
}

// memory transport: discovery and key documents of every issuer are answered without a network
type memRT struct{ docs map[string][]byte }

func (m *memRT) RoundTrip(r *http.Request) (*http.Response, error) {
	b, ok := m.docs[r.URL.String()]
	code := 200
	if !ok {
		code = 404
	}
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(b)), Request: r, ProtoMajor: 1, ProtoMinor: 1}, nil
}
func newMemRT(iss []issuer) *memRT {
	m := &memRT{docs: map[string][]byte{}}
	for _, i := range iss {
		base := strings.TrimSuffix(i.URL, "/")
		m.docs[base+"/.well-known/openid-configuration"] = []byte(fmt.Sprintf(`{"issuer":%q,"jwks_uri":%q}`, i.URL, base+"/keys"))
		m.docs[base+"/keys"] = i.JWKS
	}
	return m
}

var codecs = func() serializer.CodecFactory {
	s := kruntime.NewScheme()
	apiinstall.Install(s)
	return serializer.NewCodecFactory(s, serializer.EnableStrict)
}()

func loadConfig(file string) *apiserver.AuthenticationConfiguration {
	b, err := os.ReadFile(filepath.Join(workload, "configs", file))
	must(err)
	return decodeConfig(b)
}
func decodeConfig(b []byte) *apiserver.AuthenticationConfiguration {
	b = bytes.Replace(b, []byte("apiserver.config.platform.io/"), []byte("apiserver.config.k8s.io/"), 1)
	o, err := kruntime.Decode(codecs.UniversalDecoder(), b)
	must(err)
	return o.(*apiserver.AuthenticationConfiguration)
}
func compileOnly(c *apiserver.AuthenticationConfiguration) {
	if errs := validation.ValidateAuthenticationConfiguration(authcel.NewDefaultCompiler(), c, nil); len(errs) > 0 {
		log.Fatal(errs)
	}
}
func build(ctx context.Context, c *apiserver.AuthenticationConfiguration, rt *memRT) authenticator.Token {
	compiler := authcel.NewDefaultCompiler()
	var list []authenticator.Token
	var waits []oidc.AuthenticatorTokenWithHealthCheck
	for _, j := range c.JWT {
		a, err := oidc.New(ctx, oidc.Options{JWTAuthenticator: j, Compiler: compiler, Client: &http.Client{Transport: rt}, SupportedSigningAlgs: oidc.AllValidSigningAlgorithms()})
		must(err)
		list = append(list, a)
		waits = append(waits, a)
	}
	for _, w := range waits {
		for w.HealthCheck() != nil {
			time.Sleep(200 * time.Microsecond)
		}
	}
	return group.NewTokenGroupAdder(tokenunion.NewFailOnError(list...), []string{"system:authenticated"})
}

func emit(id, variant string, unit string, value float64, more map[string]any) {
	m := map[string]any{"peer": label, "id": id, "variant": variant, "unit": unit, "value": value, "go": runtime.Version(), "procs": runtime.GOMAXPROCS(0)}
	for k, v := range more {
		m[k] = v
	}
	b, _ := json.Marshal(m)
	fmt.Println(string(b))
}

// processor time of this process in nanoseconds (user and system, garbage collector included)
func cpuNow() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano() + r.Stime.Nano())
}

// timed runs f(i) for at least minMS after a short warm-up, five slices, reports the median ns per call
func timed(id, variant string, n int, f func(i int)) float64 {
	i := 0
	stop := time.Now().Add(time.Duration(minMS/4) * time.Millisecond)
	for time.Now().Before(stop) {
		for k := 0; k < 16; k++ {
			f(i % n)
			i++
		}
	}
	var res, cpus []float64
	for s := 0; s < 5; s++ {
		cnt := 0
		t0, c0 := time.Now(), cpuNow()
		d := time.Duration(minMS/5) * time.Millisecond
		for time.Since(t0) < d {
			for k := 0; k < 16; k++ {
				f(i % n)
				i++
			}
			cnt += 16
		}
		res = append(res, float64(time.Since(t0).Nanoseconds())/float64(cnt))
		cpus = append(cpus, (cpuNow()-c0)/float64(cnt))
	}
	sort.Float64s(res)
	sort.Float64s(cpus)
	emit(id, variant, "ns/op", res[2], map[string]any{"best": res[0], "cpuNsPerOp": cpus[2]})
	return res[2]
}
func timedParallel(id, variant string, n, workers int, f func(i int)) {
	var total int64
	var wg sync.WaitGroup
	t0 := time.Now()
	end := t0.Add(time.Duration(minMS) * time.Millisecond)
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			i := w * 997
			c := int64(0)
			for time.Now().Before(end) {
				for k := 0; k < 16; k++ {
					f(i % n)
					i++
				}
				c += 16
			}
			atomic.AddInt64(&total, c)
		}(w)
	}
	wg.Wait()
	emit(id, variant, "ops/s", float64(total)/time.Since(t0).Seconds(), nil)
}

func filter(ts []tok, alg string) (o []tok) {
	for _, t := range ts {
		if t.Alg == alg {
			o = append(o, t)
		}
	}
	return
}

func bench() {
	ctx := context.Background()
	var iss []issuer
	readJSON("issuers.json", &iss)
	toks := readTokens("tokens.jsonl")
	rt := newMemRT(iss)
	cfg := loadConfig("scale-64.yaml")
	auth := build(ctx, cfg, rt)
	check := func(a authenticator.Token, t string, want bool) {
		_, ok, err := a.AuthenticateToken(ctx, t)
		if ok != want {
			log.Fatalf("unexpected decision ok=%v err=%v", ok, err)
		}
	}
	for _, t := range toks {
		check(auth, t.Token, true)
	}
	if wanted("W1") {
		celBench(ctx)
	}
	if wanted("W2") {
		coldBench(ctx, auth, rt, iss, toks, check)
	}
	if wanted("W3") {
		cached := tokencache.New(auth, true, 10*time.Hour, 0)
		for _, t := range toks {
			check(cached, t.Token, true)
		}
		timed("W3", "hit", len(toks), func(i int) { check(cached, toks[i].Token, true) })
	}
	if wanted("W4") {
		certBench()
	}
	if wanted("W5") {
		saBench()
	}
	if wanted("W7") {
		compileBench()
	}
	if wanted("W11") || wanted("W12") {
		simulateBench(ctx, cfg, toks)
	}
	if wanted("W10") {
		memBench()
	}
}

func coldBench(ctx context.Context, auth authenticator.Token, rt *memRT, iss []issuer, toks []tok, check func(authenticator.Token, string, bool)) {
	timed("W2", "mixed-64", len(toks), func(i int) { check(auth, toks[i].Token, true) })
	cfg1 := loadConfig("00-github-actions.yaml")
	one := build(ctx, cfg1, rt)
	var t0 []tok
	for _, t := range toks {
		if t.Issuer == 0 {
			t0 = append(t0, t)
		}
	}
	timed("W2", "RS256-1-authenticator", len(t0), func(i int) { check(one, t0[i].Token, true) })
	for _, alg := range []string{"RS256", "ES256", "PS256", "ES384"} {
		s := filter(toks, alg)
		timed("W2", alg+"-64", len(s), func(i int) { check(auth, s[i].Token, true) })
	}
	bad := readTokens("tokens-invalid.jsonl")
	timed("W2", "invalid-64", len(bad), func(i int) { check(auth, bad[i].Token, false) })
	timedParallel("W2", "mixed-64-parallel", len(toks), runtime.GOMAXPROCS(0), func(i int) { check(auth, toks[i].Token, true) })
	// bare signature check with the same library and parsed keys, mixed set
	keysets := map[int]oidclib.KeySet{}
	for _, i := range iss {
		keysets[i.Index] = oidclib.NewRemoteKeySet(oidclib.ClientContext(ctx, &http.Client{Transport: rt}), strings.TrimSuffix(i.URL, "/")+"/keys")
	}
	timed("W2", "signature-only-mixed", len(toks), func(i int) { _, err := keysets[toks[i].Issuer].VerifySignature(ctx, toks[i].Token); must(err) })
}

func compileBench() {
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		raw, err := os.ReadFile(filepath.Join(workload, "configs", fmt.Sprintf("scale-%02d.yaml", n)))
		must(err)
		var r []float64
		for k := 0; k < 5; k++ {
			t := cpuNow()
			compileOnly(decodeConfig(raw))
			r = append(r, (cpuNow()-t)/1e6)
		}
		sort.Float64s(r)
		emit("W7", fmt.Sprintf("decode+validate+compile-%d", n), "ms cpu", r[2], nil)
	}
}

func celBench(ctx context.Context) {
	comp := authcel.NewDefaultCompiler()
	var all []func() ref.Val
	for _, s := range celLoad() {
		all = append(all, celRunner(ctx, comp, s))
	}
	for n, run := range all {
		timed("W1", fmt.Sprintf("expression-%02d", n), 1, func(int) { run() })
	}
	timed("W1", "set-average", len(all), func(i int) { all[i]() })
}

type celItem struct {
	Profile, Variable, Expression string
	Input                         map[string]any
}

func celLoad() []celItem { var set []celItem; readJSON("cel.json", &set); return set }
func celRunner(ctx context.Context, comp authcel.Compiler, s celItem) func() ref.Val {
	in := types.DefaultTypeAdapter.NativeToValue(s.Input).(traits.Mapper)
	if s.Variable == "claims" {
		r, err := comp.CompileClaimsExpression(&authcel.ClaimMappingExpression{Expression: s.Expression})
		must(err)
		m := authcel.NewClaimsMapper([]authcel.CompilationResult{r})
		return func() ref.Val { v, err := m.EvalClaimMapping(ctx, in); must(err); return v.EvalResult }
	}
	r, err := comp.CompileUserExpression(&authcel.UserValidationCondition{Expression: s.Expression})
	must(err)
	m := authcel.NewUserMapper([]authcel.CompilationResult{r})
	return func() ref.Val { v, err := m.EvalUser(ctx, in); must(err); return v[0].EvalResult }
}

// celExpect prints the value of every expression as JSON, in order
func celExpect() {
	comp := authcel.NewDefaultCompiler()
	var out []any
	for _, s := range celLoad() {
		v := celRunner(context.Background(), comp, s)()
		n, err := v.ConvertToNative(types.JSONValueType)
		must(err)
		b, _ := n.(interface{ MarshalJSON() ([]byte, error) }).MarshalJSON()
		out = append(out, json.RawMessage(b))
	}
	b, _ := json.MarshalIndent(out, "", " ")
	fmt.Println(string(b))
}

// celSubset measures only the expressions with the given indexes (so that libraries with gaps compare on the same work)
func celSubset(list string) {
	comp := authcel.NewDefaultCompiler()
	set := celLoad()
	var fs []func() ref.Val
	for _, x := range strings.Split(list, ",") {
		var i int
		fmt.Sscan(x, &i)
		fs = append(fs, celRunner(context.Background(), comp, set[i]))
	}
	timed("W1", "common-subset", len(fs), func(i int) { fs[i]() })
}

func certBench() {
	k, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	caT := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(9e4 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, caT, caT, &k.PublicKey, k)
	must(err)
	ca, _ := x509.ParseCertificate(der)
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	var ders [][]byte
	for i := 0; i < 100; i++ {
		ck, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		t := &x509.Certificate{SerialNumber: big.NewInt(int64(i + 2)), Subject: pkix.Name{CommonName: fmt.Sprintf("user-%d", i), Organization: []string{"system:nodes", "team-a", "team-b"}}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(9e4 * time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
		d, err := x509.CreateCertificate(rand.Reader, t, ca, &ck.PublicKey, k)
		must(err)
		ders = append(ders, d)
	}
	opts := reqx509.DefaultVerifyOptions()
	opts.Roots = pool
	a := reqx509.New(opts, reqx509.CommonNameUserConversion)
	run := func(i int) {
		c, err := x509.ParseCertificate(ders[i])
		must(err)
		r := &http.Request{TLS: &tls.ConnectionState{PeerCertificates: []*x509.Certificate{c}}}
		_, ok, err := a.AuthenticateRequest(r)
		if !ok {
			log.Fatal(err)
		}
	}
	timed("W4", "parse+verify+map", len(ders), run)
	var reqs []*http.Request
	for _, d := range ders {
		c, _ := x509.ParseCertificate(d)
		reqs = append(reqs, &http.Request{TLS: &tls.ConnectionState{PeerCertificates: []*x509.Certificate{c}}})
	}
	timed("W4", "verify+map (parsed by TLS)", len(reqs), func(i int) {
		if _, ok, err := a.AuthenticateRequest(reqs[i]); !ok {
			log.Fatal(err)
		}
	})
	timed("W4", "map-only", len(reqs), func(i int) {
		if _, ok, err := reqx509.CommonNameUserConversion(reqs[i].TLS.PeerCertificates); !ok {
			log.Fatal(err)
		}
	})
}

// service account token: same steps as the original (issuer check, signature with each key, claims validation, private claims),
// object look-up switched off
func saBench() {
	var keys struct {
		Serviceaccount struct{ Public json.RawMessage }
	}
	b, err := os.ReadFile(filepath.Join(workload, "serviceaccount-jwk.json"))
	must(err)
	keys.Serviceaccount.Public = b
	var jwk jose.JSONWebKey
	must(json.Unmarshal(keys.Serviceaccount.Public, &jwk))
	toks := readTokens("tokens-serviceaccount.jsonl")
	type private struct {
		K struct {
			Namespace string                      `json:"namespace"`
			Svcacct   struct{ Name, UID string }  `json:"serviceaccount"`
			Pod       *struct{ Name, UID string } `json:"pod"`
			Node      *struct{ Name, UID string } `json:"node"`
		} `json:"platform.io"`
	}
	timed("W5", "verify+claims", len(toks), func(i int) {
		t, err := josejwt.ParseSigned(toks[i].Token)
		must(err)
		var pub josejwt.Claims
		var pr private
		must(t.Claims(jwk.Key, &pub, &pr))
		must(pub.Validate(josejwt.Expected{Time: time.Now(), Issuer: "https://platform.default.svc", Audience: josejwt.Audience{"https://platform.default.svc"}}))
		u := saapi.ServiceAccountInfo{Namespace: pr.K.Namespace, Name: pr.K.Svcacct.Name, UID: pr.K.Svcacct.UID, PodName: pr.K.Pod.Name, PodUID: pr.K.Pod.UID, NodeName: pr.K.Node.Name, NodeUID: pr.K.Node.UID}
		if u.UserInfo().GetName() == "" {
			log.Fatal("no name")
		}
	})
}

// decodeOnly stands in for a key set and accepts every signature: what is left is claim decoding, rules and mapping (W11, W12)
type decodeOnly struct{}

func (decodeOnly) VerifySignature(_ context.Context, jwt string) ([]byte, error) {
	p := strings.Split(jwt, ".")
	return base64.RawURLEncoding.DecodeString(p[1])
}
func simulateBench(ctx context.Context, cfg *apiserver.AuthenticationConfiguration, toks []tok) {
	mk := func() []authenticator.Token {
		comp := authcel.NewDefaultCompiler()
		var l []authenticator.Token
		for _, j := range cfg.JWT {
			a, err := oidc.New(ctx, oidc.Options{JWTAuthenticator: j, Compiler: comp, KeySet: decodeOnly{}, SupportedSigningAlgs: oidc.AllValidSigningAlgorithms()})
			must(err)
			l = append(l, a)
		}
		return l
	}
	a, b := mk(), mk()
	timed("W11", "rules+mapping-no-signature", len(toks), func(i int) {
		if _, ok, err := a[toks[i].Issuer].AuthenticateToken(ctx, toks[i].Token); !ok {
			log.Fatal(err)
		}
	})
	t0 := time.Now()
	diff := 0
	c0 := cpuNow()
	for n := 0; n < 20000; n++ {
		t := toks[n%len(toks)]
		x, _, _ := a[t.Issuer].AuthenticateToken(ctx, t.Token)
		y, _, _ := b[t.Issuer].AuthenticateToken(ctx, t.Token)
		if !reflect.DeepEqual(x.User, y.User) {
			diff++
		}
	}
	emit("W12", "diff-100k (scaled from 20k)", "s", 5*time.Since(t0).Seconds(), map[string]any{"different": diff, "cpuSeconds": 5 * (cpuNow() - c0) / 1e9})
}

type fakeAuth struct{}

func (fakeAuth) AuthenticateToken(ctx context.Context, token string) (*authenticator.Response, bool, error) {
	return &authenticator.Response{User: &user.DefaultInfo{Name: strings.Clone("kc:" + token[len(token)-20:]), UID: "9b1d7a52-0000-4000-a000-000000000000", Groups: []string{strings.Clone("a-" + token[len(token)-8:]), "b-dev", "c-viewers", "d-oncall", "system:authenticated"}, Extra: map[string][]string{"x.example/session": {strings.Clone(token[len(token)-16:])}, "x.example/roles": {"edit"}}}}, true, nil
}
func memBench() {
	c := tokencache.New(fakeAuth{}, true, 10*time.Hour, 0)
	ctx := context.Background()
	pad := strings.Repeat("x", 1200)
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m0)
	// the cache holds 32 stripes with a bounded size each; only what fits is counted
	const N = 100000
	for i := 0; i < N; i++ {
		_, _, _ = c.AuthenticateToken(ctx, fmt.Sprintf("%s%032d", pad, i))
	}
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m1)
	emit("W10", "100k-inserted (bounded cache)", "MiB", float64(m1.HeapAlloc-m0.HeapAlloc)/1048576, nil)
	runtime.KeepAlive(c)
}

func expect() {
	ctx := context.Background()
	var iss []issuer
	readJSON("issuers.json", &iss)
	a := build(ctx, loadConfig("scale-64.yaml"), newMemRT(iss))
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, f := range []string{"tokens.jsonl", "tokens-invalid.jsonl"} {
		for i, t := range readTokens(f) {
			r, ok, err := a.AuthenticateToken(ctx, t.Token)
			o := map[string]any{"file": f, "line": i + 1, "authenticated": ok}
			if ok {
				o["user"] = map[string]any{"username": r.User.GetName(), "uid": r.User.GetUID(), "groups": r.User.GetGroups(), "extra": r.User.GetExtra()}
			} else if err != nil {
				o["error"] = err.Error()
			}
			b, _ := json.Marshal(o)
			w.Write(b)
			w.WriteByte('\n')
		}
	}
}

func serve(addr, cert, key string, ttl time.Duration) {
	ctx := context.Background()
	var iss []issuer
	readJSON("issuers.json", &iss)
	var a authenticator.Token = build(ctx, loadConfig("scale-64.yaml"), newMemRT(iss))
	if ttl > 0 {
		a = tokencache.New(a, true, ttl, 0)
	}
	mux := http.NewServeMux()
	ui := func(u user.Info) authnv1.UserInfo {
		e := map[string]authnv1.ExtraValue{}
		for k, v := range u.GetExtra() {
			e[k] = v
		}
		return authnv1.UserInfo{Username: u.GetName(), UID: u.GetUID(), Groups: u.GetGroups(), Extra: e}
	}
	mux.HandleFunc("POST /apis/authentication.platform.io/v1/tokenreviews", func(w http.ResponseWriter, r *http.Request) {
		var tr authnv1.TokenReview
		if err := json.NewDecoder(r.Body).Decode(&tr); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		res, ok, err := a.AuthenticateToken(r.Context(), tr.Spec.Token)
		tr.Status.Authenticated = ok
		if err != nil {
			tr.Status.Error = err.Error()
		}
		if ok {
			tr.Status.User = ui(res.User)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(201)
		json.NewEncoder(w).Encode(&tr)
	})
	mux.HandleFunc("POST /apis/authentication.platform.io/v1/selfsubjectreviews", func(w http.ResponseWriter, r *http.Request) {
		t, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		res, ok, _ := a.AuthenticateToken(r.Context(), t)
		if !ok {
			http.Error(w, "Unauthorized", 401)
			return
		}
		var sr authnv1.SelfSubjectReview
		_ = json.NewDecoder(r.Body).Decode(&sr)
		sr.Status.UserInfo = ui(res.User)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(201)
		json.NewEncoder(w).Encode(&sr)
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	s := &http.Server{Addr: addr, Handler: mux, TLSConfig: &tls.Config{NextProtos: []string{"http/1.1"}}, TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}}
	fmt.Fprintln(os.Stderr, "ready")
	must(s.ListenAndServeTLS(cert, key))
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	start := time.Now()
	cmd := os.Args[1]
	fs := flag.NewFlagSet(cmd, flag.ExitOnError)
	fs.StringVar(&workload, "w", "../../workload", "workload folder")
	fs.IntVar(&minMS, "t", 1500, "milliseconds per measure")
	fs.StringVar(&label, "label", "go-apiserver-0.37.2", "peer label")
	addr := fs.String("addr", "127.0.0.1:0", "")
	cert := fs.String("cert", "", "")
	key := fs.String("key", "", "")
	ttl := fs.Duration("ttl", 10*time.Second, "")
	n := fs.Int("n", 64, "")
	subset := fs.String("subset", "", "comma separated expression indexes")
	ids := fs.String("only", "", "comma separated measures (W1,W2,...); all without it")
	must(fs.Parse(os.Args[2:]))
	only = map[string]bool{}
	for _, id := range strings.Split(*ids, ",") {
		if id != "" {
			only[id] = true
		}
	}
	switch cmd {
	case "bench":
		bench()
	case "expect":
		expect()
	case "celexpect":
		celExpect()
	case "celsubset":
		celSubset(*subset)
	case "serve":
		serve(*addr, *cert, *key, *ttl)
	case "start":
		var iss []issuer
		readJSON("issuers.json", &iss)
		t := readTokens("tokens.jsonl")
		a := build(context.Background(), loadConfig(fmt.Sprintf("scale-%02d.yaml", *n)), newMemRT(iss))
		for _, x := range t {
			if x.Issuer < *n {
				_, ok, err := a.AuthenticateToken(context.Background(), x.Token)
				if !ok {
					log.Fatal(err)
				}
				break
			}
		}
		emit("W7", fmt.Sprintf("main-to-first-decision-%d", *n), "ms", float64(time.Since(start).Microseconds())/1000, nil)
	}
}
