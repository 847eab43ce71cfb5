//go:build !release_1_30 && !release_1_31

package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	authenticationcel "k8s.io/apiserver/pkg/authentication/cel"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/oidc"
)

// Since 1.32 one compiler is shared by validation and authenticators.
var compiler = authenticationcel.NewDefaultCompiler()

func validateConfiguration(c *apiserver.AuthenticationConfiguration, disallowedIssuers []string) field.ErrorList {
	return validation.ValidateAuthenticationConfiguration(compiler, c, disallowedIssuers)
}

func useCompiler(opts *oidc.Options) { opts.Compiler = compiler }
