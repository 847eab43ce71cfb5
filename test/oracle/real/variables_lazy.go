//go:build !release_1_30 && !release_1_31 && !release_1_32 && !release_1_33

package main

import (
	"encoding/json"
	_ "unsafe" // for go:linkname

	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/lazy"
)

// Since 1.34 expressions read their variables through wrappers that decode a member when it is
// selected. The functions are not exported, and the answers depend on them.

//go:linkname newClaimsValue k8s.io/apiserver/plugin/pkg/authenticator/token/oidc.newClaimsValue
func newClaimsValue(c map[string]json.RawMessage) *lazy.MapValue

//go:linkname newUserInfoValue k8s.io/apiserver/plugin/pkg/authenticator/token/oidc.newUserInfoValue
func newUserInfoValue(info user.Info) *lazy.MapValue

type varActivation struct {
	name  string
	value traits.Mapper
}

func (v *varActivation) ResolveName(name string) (any, bool) {
	if v.name != name {
		return nil, false
	}
	return v.value, true
}
func (v *varActivation) Parent() interpreter.Activation { return nil }

func claimsActivation(claims map[string]json.RawMessage) (interpreter.Activation, error) {
	return &varActivation{"claims", newClaimsValue(claims)}, nil
}

func userActivation(info user.Info) (interpreter.Activation, error) {
	return &varActivation{"user", newUserInfoValue(info)}, nil
}

func isVariable(v ref.Val) bool {
	_, ok := v.(*lazy.MapValue)
	return ok
}
