// The views in the order of the menu: name in the fragment, title, and key on the keyboard.
export const kViewKeys = [
  { key: 'verdict', title: 'Verdict', press: '1' },
  { key: 'memory', title: 'Memory', press: '2' },
  { key: 'tile', title: 'Tile', press: '3' },
  { key: 'liveness', title: 'Liveness', press: '4' },
  { key: 'program', title: 'Program', press: '5' },
  { key: 'operations', title: 'Operations', press: '6' },
  { key: 'layers', title: 'Layers', press: 'l' },
  { key: 'execution', title: 'Execution', press: '7' },
  { key: 'exchange', title: 'Exchange', press: '8' },
  { key: 'whatif', title: 'What if', press: 'w' },
  { key: 'compare', title: 'Compare', press: '9' },
  { key: 'sql', title: 'SQL', press: '0' },
  { key: 'options', title: 'Options', press: 'o' },
  { key: 'about', title: 'About', press: 'a' },
] as const;
export type ViewKey = (typeof kViewKeys)[number]['key'];
