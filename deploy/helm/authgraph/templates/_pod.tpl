{{/* Arguments of the container; `files` is the folder of each file. */}}
{{- define "authgraph.args" -}}
{{- $values := .root.Values -}}
- serve
- --authentication-config={{ .files.configuration }}/authentication.yaml
- {{ printf "--bind-address=%s" .address | quote }}
- --secure-port={{ $values.port }}
- --tls-cert-file={{ .files.serving }}/tls.crt
- --tls-private-key-file={{ .files.serving }}/tls.key
- --client-ca-file={{ .files.clientCA }}/ca.crt
- {{ printf "--webhook-path=%s" $values.webhook.path | quote }}
- --webhook-reasons={{ $values.webhook.reasons }}
{{- if eq $values.store "kubernetes" }}
- --store=kubernetes
{{- else if .files.roles }}
- --rbac-file={{ .files.roles }}/roles.yaml
{{- else }}
{{- range $values.tokenReviewers }}
{{- if eq .kind "ServiceAccount" }}
- --token-review-open=user:system:serviceaccount:{{ .namespace }}:{{ .name }}
{{- else }}
- {{ printf "--token-review-open=%s:%s" (lower .kind) .name | quote }}
{{- end }}
{{- end }}
{{- end }}
- --shutdown-grace={{ $values.shutdownGraceSeconds }}s
{{- if $values.decisionLog }}
- --decision-log=-
{{- end }}
{{- range $name, $value := $values.flags }}
{{- range (kindIs "slice" $value | ternary $value (list $value)) }}
- {{ printf "--%s=%v" $name . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A probe of the server itself; a host is needed in the network of the node. */}}
{{- define "authgraph.probe" -}}
httpGet:
  {{- with .host }}
  host: {{ . }}
  {{- end }}
  path: {{ .path }}
  port: {{ .port }}
  scheme: HTTPS
{{- end -}}

{{- define "authgraph.container" -}}
{{- $values := .root.Values -}}
name: authgraph
image: {{ include "authgraph.image" .root }}
imagePullPolicy: {{ $values.image.pullPolicy }}
args:
  {{- include "authgraph.args" . | nindent 2 }}
{{- with $values.env }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - name: https
    containerPort: {{ $values.port }}
    protocol: TCP
startupProbe:
  {{- include "authgraph.probe" (dict "host" .host "path" "/livez" "port" $values.port) | nindent 2 }}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  {{- include "authgraph.probe" (dict "host" .host "path" "/livez" "port" $values.port) | nindent 2 }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  {{- include "authgraph.probe" (dict "host" .host "path" "/readyz" "port" $values.port) | nindent 2 }}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 3
{{- if gt (int $values.preStopSleepSeconds) 0 }}
lifecycle:
  preStop:
    sleep:
      seconds: {{ $values.preStopSleepSeconds }}
{{- end }}
resources:
  {{- toYaml $values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Settings of the pod that do not depend on the mode. */}}
{{- define "authgraph.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
terminationGracePeriodSeconds: {{ add .Values.preStopSleepSeconds .Values.shutdownGraceSeconds 5 }}
enableServiceLinks: false
{{- end -}}
