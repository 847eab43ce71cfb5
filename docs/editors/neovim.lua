-- AuthGraph's language server for Neovim 0.7 or newer.
local function has_features(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  for _, ending in ipairs({ '%.claims%.%a+$', '%.authtest%.ya?ml$', '%.authgraph%.yaml$' }) do
    if name:find(ending) then return true end
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, 2000, false), '\n')
  return text:find('AuthenticationConfiguration') ~= nil or text:find('oidc%-issuer%-url') ~= nil
end

local client -- Neovim 0.7 has no vim.lsp.start, which uses one client for all buffers.

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'yaml', 'json', 'jsonc' },
  callback = function(event)
    if not has_features(event.buf) then return end
    local folder = vim.fn.getcwd()
    local config = {
      name = 'authgraph',
      cmd = { 'authgraph', 'lsp', '--stdio' },
      root_dir = folder,
      workspace_folders = { { uri = vim.uri_from_fname(folder), name = 'workspace' } },
      settings = { authgraph = vim.empty_dict() },
    }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else
      client = client or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, client)
    end
  end,
})
