//go:build release_1_30 || release_1_31

package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	authenticationcel "k8s.io/apiserver/pkg/authentication/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/oidc"
)

// Up to 1.31 validation makes its own compiler.
var compiler = authenticationcel.NewCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion(), true))

func validateConfiguration(c *apiserver.AuthenticationConfiguration, disallowedIssuers []string) field.ErrorList {
	return validation.ValidateAuthenticationConfiguration(c, disallowedIssuers)
}

func useCompiler(*oidc.Options) {}
