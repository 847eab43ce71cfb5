-- Opens auth.yaml after the recipe was loaded, and writes what Neovim shows.
vim.cmd('filetype plugin on')
vim.cmd('edit deployment.yaml')
local starts = #vim.lsp.get_active_clients() > 0
vim.cmd('edit auth.yaml')
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local shown = {}
for _, found in ipairs(vim.diagnostic.get(0)) do
  local lines = vim.api.nvim_buf_get_text(0, found.lnum, found.col, found.end_lnum, found.end_col, {})
  table.insert(shown, { code = found.user_data.lsp.code, text = table.concat(lines, '\n') })
end
vim.fn.writefile({ vim.fn.json_encode({ shown = shown, startsForOther = starts }) }, vim.env.AUTHGRAPH_ANSWER)
vim.cmd('qall!')
