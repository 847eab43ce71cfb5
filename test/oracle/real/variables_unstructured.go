//go:build release_1_30 || release_1_31 || release_1_32 || release_1_33

package main

import (
	"encoding/json"
	_ "unsafe" // for go:linkname

	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Up to 1.33 claims and user are converted to unstructured objects before an expression reads them.
// The functions are not exported, and the answers depend on them (whole numbers are integers).

//go:linkname convertObjectToUnstructured k8s.io/apiserver/plugin/pkg/authenticator/token/oidc.convertObjectToUnstructured
func convertObjectToUnstructured(obj interface{}) (*unstructured.Unstructured, error)

//go:linkname convertUserInfoToUnstructured k8s.io/apiserver/plugin/pkg/authenticator/token/oidc.convertUserInfoToUnstructured
func convertUserInfoToUnstructured(info user.Info) (*unstructured.Unstructured, error)

func claimsActivation(claims map[string]json.RawMessage) (interpreter.Activation, error) {
	converted, err := convertObjectToUnstructured(&claims)
	if err != nil {
		return nil, err
	}
	return interpreter.NewActivation(map[string]interface{}{"claims": converted.Object})
}

func userActivation(info user.Info) (interpreter.Activation, error) {
	converted, err := convertUserInfoToUnstructured(info)
	if err != nil {
		return nil, err
	}
	return interpreter.NewActivation(map[string]interface{}{"user": converted.Object})
}

func isVariable(ref.Val) bool { return false }
