{{- define "authgraph.fullname" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "authgraph.selector" -}}
app.kubernetes.io/name: authgraph
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "authgraph.labels" -}}
{{ include "authgraph.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "authgraph.metadata" -}}
name: {{ include "authgraph.fullname" .root }}{{ .suffix }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "authgraph.labels" .root | nindent 2 }}
{{- end -}}

{{- define "authgraph.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "authgraph.fullname" .) -}}
{{- end -}}

{{- define "authgraph.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "authgraph.configMap" -}}
{{- .Values.existingConfigMap | default (printf "%s-configuration" (include "authgraph.fullname" .)) -}}
{{- end -}}

{{/* Host names of the Service. */}}
{{- define "authgraph.host" -}}
{{- printf "%s.%s.svc" (include "authgraph.fullname" .) .Release.Namespace -}}
{{- end -}}

{{/* Host of the Service in a URL: its address, with brackets if it is IPv6, or its name. */}}
{{- define "authgraph.urlHost" -}}
{{- $address := .Values.service.clusterIP -}}
{{- if contains ":" $address -}}
[{{ $address }}]
{{- else -}}
{{- $address | default (include "authgraph.host" .) -}}
{{- end -}}
{{- end -}}

{{/* Subjects of RBAC bindings: users and groups belong to the API group, service accounts to a namespace. */}}
{{- define "authgraph.subjects" -}}
{{- range . }}
- kind: {{ .kind }}
  name: {{ .name | quote }}
  {{- if eq .kind "ServiceAccount" }}
  namespace: {{ .namespace }}
  {{- else }}
  apiGroup: rbac.authorization.k8s.io
  {{- end }}
{{- end }}
{{- end -}}

{{/*
Roles of the server's callers. They are objects of the cluster if the server reads its objects there, and a file of
--rbac-file otherwise.
*/}}
{{- define "authgraph.roles" -}}
{{- $name := include "authgraph.fullname" . -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}-token-reviewers
  labels:
    {{- include "authgraph.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: system:auth-delegator
subjects:
  {{- include "authgraph.subjects" .Values.tokenReviewers | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}-metrics-reader
  labels:
    {{- include "authgraph.labels" . | nindent 4 }}
rules:
  - nonResourceURLs: [/metrics]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}-metrics-readers
  labels:
    {{- include "authgraph.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ $name }}-metrics-reader
subjects:
  {{- include "authgraph.subjects" .Values.metricsReaders | trim | nindent 2 }}
{{- end -}}

{{/* The AuthenticationConfiguration as YAML. Values are strings, so expressions keep their spelling. */}}
{{- define "authgraph.configuration" -}}
{{- if not .Values.authenticationConfiguration.jwt -}}
{{- fail "authenticationConfiguration.jwt is empty: add at least one authenticator, or set existingConfigMap" -}}
{{- end -}}
{{ toYaml .Values.authenticationConfiguration }}
{{- end -}}
