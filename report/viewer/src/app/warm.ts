// Reads data for other views ahead of time, in small pieces, so that these views open at once.
import type { Profile } from '../data/profile';
import { accessesOf } from '../derived/accesses';
import { endOfRun } from '../derived/bsp';
import { flame } from '../derived/flame';
import { poolJob } from '../derived/pool';
import { prepareChart } from '../draw/bsp';
import { currentTheme } from '../theme';
import { collectExchanges, exchangesOfTiles } from '../derived/exchange';
import { fullestTiles } from '../derived/fullest';
import { collectComputeSets } from '../derived/operands';
import { longestRun } from '../derived/recorded';
import { typesOfSteps } from '../derived/selection';
import { stepTimes } from '../derived/times';
import { treeRows } from '../derived/tree';
import { trafficOf } from '../views/exchange/trafficOf';
import { kSlice } from '../views/useJob';

/** Returns the width of a picture in a card as wide as the page; 0 = not known yet. */
function pictureWidth(): number {
  const main = document.querySelector('main');
  const card = main?.querySelector('.card');
  if (!main || !card) return 0;
  const inside = (element: Element) => {
    const style = getComputedStyle(element);
    return (
      parseFloat(style.paddingLeft) +
      parseFloat(style.paddingRight) +
      parseFloat(style.borderLeftWidth) +
      parseFloat(style.borderRightWidth)
    );
  };
  return Math.round(main.clientWidth - inside(main) - inside(card));
}

/**
 * Starts to read ahead. Returns a function that stops the reading. Damaged data also stops the reading; the view that shows the data
 * reports the error later.
 */
export function warm(profile: Profile): () => void {
  let timer = 0;
  const tasks: (() => boolean)[] = [
    () => profile.programs.length >= 0,
    () => profile.steps.count >= 0,
    () => profile.useBytes.size >= 0,
    () => profile.categoryBytes.size >= 0,
    () => exchangesOfTiles(profile, fullestTiles(profile.memory.total, 1)).length >= 0,
    () => profile.vertices(fullestTiles(profile.memory.total, 1)).length >= 0,
    () => profile.livenessSteps.length >= 0,
    () => profile.variables.length >= 0,
    () => (accessesOf(profile, 0)?.length ?? 0) >= 0,
    () => {
      const run = longestRun(profile);
      return !run || flame(profile, run, profile.ipus > 1 ? null : 0, 'nested').length >= 0;
    },
    () => {
      const run = longestRun(profile);
      if (!run) return true;
      const job = poolJob(profile, run, 0);
      job.work(kSlice);
      return job.done;
    },
    () => {
      const run = longestRun(profile);
      const width = pictureWidth();
      if (run && width > 0) prepareChart(profile, poolJob(profile, run, 0).pooled, endOfRun(profile, run, 0), width, currentTheme());
      return true;
    },
    () => {
      const run = longestRun(profile);
      return !run || stepTimes(profile, run).length >= 0;
    },
    () => treeRows(profile, new Set(), '', profile.roots).length >= 0,
    () => collectExchanges(profile).rows.length >= 0,
    () => trafficOf(profile, null, '') !== undefined,
    () => collectComputeSets(profile).length >= 0,
    () => typesOfSteps(profile).step.length >= 0,
  ];
  const step = () => {
    const task = tasks[0];
    if (!task) return;
    try {
      if (task()) tasks.shift();
    } catch {
      return;
    }
    timer = window.setTimeout(step, 5);
  };
  timer = window.setTimeout(step, 50);
  return () => clearTimeout(timer);
}
