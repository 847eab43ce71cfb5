// Runs inside a page and returns clipped elements: those whose content is wider (or, where overflow
// is hidden, taller) than the element and cannot be scrolled to.
(() => {
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const reachable = (element) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
      if (scrolls(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const name = (element) =>
    `<${element.tagName.toLowerCase()} class="${element.className}"> ${(element.textContent ?? '').trim().slice(0, 60)}`;
  const found = [];
  const { documentElement: root } = document;
  if (root.scrollWidth > root.clientWidth + 1) {
    found.push(`the page itself: ${root.scrollWidth} in ${root.clientWidth} pixels`);
  }
  for (const element of document.querySelectorAll('body *')) {
    const { display, overflowY, overflowX } = getComputedStyle(element);
    // Elements for screen readers only are one pixel large.
    if (element instanceof SVGElement || display === 'inline' || element.clientWidth <= 1) continue;
    if (element.scrollWidth > element.clientWidth + 1 && !reachable(element)) {
      found.push(
        `${name(element)}: ${element.scrollWidth} in ${element.clientWidth} pixels of width`,
      );
    }
    const hides = (overflowY === 'hidden' || overflowY === 'clip') && !scrolls(overflowX);
    if (hides && element.scrollHeight > element.clientHeight + 1) {
      found.push(
        `${name(element)}: ${element.scrollHeight} in ${element.clientHeight} pixels of height`,
      );
    }
  }
  return found;
})();
