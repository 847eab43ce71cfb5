;;; AuthGraph's language server for Emacs 29 or newer, or Emacs 26 with the package eglot.  -*- lexical-binding: t; -*-
(require 'eglot)

(add-to-list 'eglot-server-programs
             '((yaml-mode yaml-ts-mode json-mode json-ts-mode) . ("authgraph" "lsp" "--stdio")))

(defun authgraph-ensure ()
  "Start the language server for the files that it has features for."
  (when (and buffer-file-name
             (or (string-match-p "\\.claims\\.\\|\\.authtest\\.ya?ml\\'\\|\\.authgraph\\.yaml\\'" buffer-file-name)
                 (save-excursion
                   (goto-char (point-min))
                   (re-search-forward "AuthenticationConfiguration\\|oidc-issuer-url" nil t))))
    (eglot-ensure)))

(dolist (hook '(yaml-mode-hook yaml-ts-mode-hook json-mode-hook json-ts-mode-hook))
  (add-hook hook #'authgraph-ensure))
