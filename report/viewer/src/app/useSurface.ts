// Colours for light, dark and print: draws everything again when the page changes from one of these to another.
import { options } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function useSurface(): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
    const listen = () => {
      // Draws at once, because a printer does not wait for a later frame.
      const usual = options.debounceRendering;
      options.debounceRendering = (render) => render();
      draw((count) => count + 1);
      if (usual) options.debounceRendering = usual;
      else delete options.debounceRendering;
    };
    for (const query of queries) query.addEventListener('change', listen);
    return () => queries.forEach((query) => query.removeEventListener('change', listen));
  }, []);
}
