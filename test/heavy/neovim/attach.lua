-- Attaches the language server to each file named in the plan, and writes down what Neovim shows.
local plan = vim.fn.json_decode(vim.fn.readfile(vim.env.AUTHGRAPH_PLAN))
local published = {}

local on_publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ctx, config)
  on_publish(err, result, ctx, config)
  published[result.uri] = result.version or 0
end

local client = vim.lsp.start_client({
  name = 'authgraph',
  cmd = plan.command,
  root_dir = plan.folder,
  workspace_folders = { { uri = vim.uri_from_fname(plan.folder), name = 'workspace' } },
  settings = { authgraph = vim.empty_dict() },
})

local function await(what, test)
  if not vim.wait(60000, test, 20) then
    error('Neovim waited in vain for ' .. what)
  end
end

local function shown(buffer)
  local rows = {}
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(rows, {
      lnum = found.lnum,
      col = found.col,
      end_lnum = found.end_lnum,
      end_col = found.end_col,
      severity = found.severity,
      message = found.message,
      source = found.source,
      code = found.user_data.lsp.code,
    })
  end
  return { lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true), diagnostics = rows }
end

local ok, problem = pcall(function()
  local answers = {}
  for _, path in ipairs(plan.files) do
    vim.cmd('edit ' .. vim.fn.fnameescape(path))
    local buffer = vim.api.nvim_get_current_buf()
    local uri = vim.uri_from_bufnr(buffer)
    vim.lsp.buf_attach_client(buffer, client)
    await(path, function() return published[uri] ~= nil end)
    table.insert(answers, shown(buffer))
  end
  -- A change as it is typed: the last file loses its last line.
  local buffer = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buffer)
  published[uri] = nil
  vim.cmd('normal! Gdd')
  await('the change', function() return published[uri] ~= nil end)
  table.insert(answers, shown(buffer))
  vim.fn.writefile({ vim.fn.json_encode(answers) }, plan.answer)
end)
if not ok then
  vim.fn.writefile({ tostring(problem) }, plan.answer .. '.problem')
end
vim.cmd('qall!')
