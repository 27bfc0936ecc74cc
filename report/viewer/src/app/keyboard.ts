// Handles the keys that work in every view.
import { useEffect } from 'preact/hooks';
import { kViewKeys } from './viewKeys';
import { link, parseRoute, setParams } from './route';

/** Closes the open menu. If no menu is open, clears the selection of the view. */
function closeOpen(): void {
  const menus = document.querySelectorAll<HTMLDetailsElement>('details.menu[open]');
  menus.forEach((menu) => (menu.open = false));
  const { params } = parseRoute(location.hash);
  const chosen = [['at', 'lane', 'cycle'], ['lane', 'cycle'], ['context'], ['variable'], ['tiles']].find((keys) =>
    keys.some((key) => (params[key] ?? '') !== ''),
  );
  if (menus.length === 0 && chosen) setParams(Object.fromEntries(chosen.map((key) => [key, ''])));
}

function openNotes(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.notemenu');
  if (!menu) return;
  menu.open = true;
  menu.querySelector('input')?.focus();
}

/** Closes open menus: on Esc, all of them; on a click, those that do not contain the clicked element. */
function closeMenus(event: Event): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (event instanceof KeyboardEvent ? event.key === 'Escape' : !menu.contains(event.target as Node)) {
      menu.open = false;
      if (event instanceof KeyboardEvent) menu.querySelector('summary')?.focus();
    }
}

export function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
    const key = (event: KeyboardEvent) => {
      const target = event.target;
      if (target instanceof Element && target.closest('details.menu[open]') && event.key === 'Escape') return closeMenus(event);
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const view = kViewKeys.find((v) => v.press === event.key);
      if (event.key === '?') onHelp();
      else if (event.key === 'n') openNotes();
      else if (event.key === 'Escape') closeOpen();
      else if (event.key === '/') focus('main input[type=search], main input[type=text]');
      else if (event.key === 'p') focus('main canvas[tabindex]:not([data-aside])');
      // In a picture, the key 0 shows the whole picture.
      else if (view && !(event.key === '0' && target instanceof HTMLCanvasElement)) location.hash = link(view.key);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', key);
    addEventListener('pointerdown', closeMenus);
    return () => {
      removeEventListener('keydown', key);
      removeEventListener('pointerdown', closeMenus);
    };
  }, [onHelp]);
}
