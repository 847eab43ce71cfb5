/** The style sheet of all pages: light and dark, for narrow screens and for paper. */

export const pageStyle = `
:root {
  color-scheme: light dark;
  --line: #d0d7de; --quiet: #57606a; --good: #116329; --bad: #a40e26; --open: #7d4e00; --mark: #ffd8d3;
  --ink: #1f2328; --paper: #ffffff; --shade: #f3f4f6;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --line: #3d444d; --quiet: #9198a1; --good: #56d364; --bad: #ff9492; --open: #e3b341; --mark: #67060c;
    --ink: #f0f6fc; --paper: #0d1117; --shade: #161b22;
  }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1.5rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
a { color: inherit; text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
h1 code, h3 code, h4 code { font-size: .9em; }
pre { background: var(--shade); padding: .75rem; border-radius: 6px; white-space: pre-wrap; margin: 0 0 .75rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th { color: var(--quiet); }
tbody th, summary { font-weight: 600; }
tbody th { min-width: 8rem; }
.kind { white-space: nowrap; }
.verdicts { list-style: none; padding: 0; }
.verdicts li { border-left: 4px solid; padding: .25rem .75rem; margin: .5rem 0; }
.proved, .passed { color: var(--good); }
.found, .failed { color: var(--bad); }
.undecided, span.warning { color: var(--open); }
.note { color: var(--quiet); font-size: .875rem; font-weight: normal; }
.finding { border-left: 4px solid var(--line); padding-left: 1rem; margin: 1.5rem 0; }
.finding.error { border-color: var(--bad); }
.finding.warning { border-color: var(--open); }
.finding.error .severity { color: var(--bad); }
.finding.warning .severity { color: var(--open); }
.finding h3, .finding h4 { margin-top: 0; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
details > pre, details > div, details > table { margin-top: .5rem; }
.scroll { overflow-x: auto; }
.scroll svg { display: block; }
.wide { white-space: nowrap; }
.source { white-space: nowrap; }
.source th, .source td { border: 0; padding: 0 .75rem 0 0; overflow-wrap: normal; }
.source tbody th { min-width: 0; color: var(--quiet); text-align: right; font-weight: normal; font-variant-numeric: tabular-nums; }
.source code { font-size: .8125rem; white-space: pre; }
.source ul { margin: 0 0 .5rem; white-space: normal; padding-left: 1.25rem; color: var(--bad); }
.source tr:target { background: var(--shade); }
.covered td:nth-child(2) { color: var(--good); }
.missing td:nth-child(2) { color: var(--bad); }
mark { background: var(--mark); color: inherit; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) { main { padding: .5rem 1rem; } body { font-size: 15px; } }
@media print {
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h2, h3, h4 { break-after: avoid; }
  tr, pre, .finding { break-inside: avoid; }
  .scroll { overflow: visible; }
  .scroll svg { max-width: 100%; height: auto; }
  .wide, .source, .source code { white-space: pre-wrap; }
  details::details-content { content-visibility: visible; display: block; }
}
`;
