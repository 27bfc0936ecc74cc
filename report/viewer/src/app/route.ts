// The page's state lives in the URL's fragment, so that a link opens the same view, tile, step and zoom:
// #memory?tiles=3,17&by=category
import { useEffect, useState } from 'preact/hooks';
import { kNoteKey } from '../derived/bookmarks';
import { addressWith } from './address';
import { keepNotes } from './notes';

export interface Route {
  readonly view: string;
  readonly params: Readonly<Record<string, string>>;
}

export function parseRoute(fragment: string): Route {
  const [view = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  return { view, params: Object.fromEntries([...new URLSearchParams(query)].filter(([key]) => key !== kNoteKey)) };
}

export function formatRoute(route: Route): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(route.params)) if (value !== '') query.set(key, value);
  const text = query.toString().replace(/%2C/g, ',');
  return `#${route.view}${text ? `?${text}` : ''}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const listen = () => {
      const next = parseRoute(location.hash);
      keepNotes(formatRoute(next));
      setRoute(next);
    };
    keepNotes(formatRoute(parseRoute(location.hash)));
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  return route;
}

/** Returns a link to a view. A click on the link adds an entry to the history. */
export function link(view: string, params: Readonly<Record<string, string | number>> = {}): string {
  return formatRoute({ view, params: Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])) });
}

const kBurst = 800; // milliseconds: changes within this time share one history entry
let lastEntry = -Infinity;

/**
 * Changes parameters of the open view; an empty value removes a parameter. With `entry` = 'each' the change gets its own history entry.
 * With 'burst', changes in quick succession (turns of a wheel) share one entry. Without `entry` the history gets no new entry.
 */
export function setParams(change: Readonly<Record<string, string | number>>, entry?: 'each' | 'burst'): void {
  const route = parseRoute(location.hash);
  const params: Record<string, string> = { ...route.params };
  for (const [key, value] of Object.entries(change)) params[key] = String(value);
  const next = formatRoute({ view: route.view, params });
  if (next === formatRoute(route)) return;
  const now = performance.now();
  if (entry === 'each' || (entry === 'burst' && now - lastEntry > kBurst)) history.pushState(null, '', addressWith(next));
  else history.replaceState(history.state, '', addressWith(next));
  if (entry) lastEntry = now;
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function numberParam(route: Route, key: string, fallback: number, low: number, high: number): number {
  const word = route.params[key];
  const value = word === undefined || !/^-?\d+(\.\d+)?$/.test(word) ? NaN : Number(word);
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : fallback;
}
