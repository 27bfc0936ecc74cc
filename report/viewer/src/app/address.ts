// The page's own place. In a frame that holds the page as text (srcdoc, as in a notebook) the base address is that of the page around
// it: a relative address, of a link or of the history, would lead there. Fragments are therefore always of the document itself.

/** The document's own address with another fragment. */
export function addressWith(fragment: string): string {
  return location.href.replace(/#.*$/s, '') + fragment;
}

/** One handler for every link within the page: a click changes this document's fragment, whatever the base address is. */
export function keepLinksHere(): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const fragment = anchor?.getAttribute('href');
    if (!fragment || document.baseURI.replace(/#.*$/s, '') === addressWith('')) return;
    event.preventDefault();
    location.hash = fragment;
  });
}
