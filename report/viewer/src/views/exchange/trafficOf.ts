// The matrix of who sends to whom, read from a profile.
import { readTraffic } from '../../data/extras';
import type { Profile } from '../../data/profile';
import { parseTrafficWindow, trafficMatrix, type TrafficMatrix } from './trafficMatrix';

const kMaxCells = 368; // of a side: no cell is smaller than a pixel

/** What one exchange sends from tile to tile, or all exchanges together (null), in the window that the text names. Keeps only the first picture, of all. */
export function trafficOf(profile: Profile, program: number | null, text: string): TrafficMatrix | null {
  const make = () => trafficMatrix(readTraffic(profile, program), profile.tiles, kMaxCells, parseTrafficWindow(text, profile.tiles));
  return program === null && text === '' ? profile.keep('traffic matrix', make) : make();
}
