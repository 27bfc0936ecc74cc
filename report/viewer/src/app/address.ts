// The address of the page itself. In a frame whose page is given as text (srcdoc, as in a notebook), the base address is the address of the
// surrounding page. A relative address in a link or in the history would lead to the surrounding page. Fragments therefore always refer to
// the document itself.

/** Returns the document's own address with another fragment. */
export function addressWith(fragment: string): string {
  return location.href.replace(/#.*$/s, '') + fragment;
}

/** Handles clicks on links within the page: a click changes the fragment of this document, whatever the base address is. */
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
