// Reads the matrix of traffic between tiles from a profile.
import { readTraffic } from '../../data/extras';
import type { Profile } from '../../data/profile';
import { parseTrafficWindow, trafficMatrix, type TrafficMatrix } from './trafficMatrix';

const kMaxCells = 368; // per side: no cell is smaller than a pixel

/**
 * Returns the traffic of one exchange (null: of all exchanges) in the window that the text names. Keeps the result only for all exchanges
 * without a window.
 */
export function trafficOf(profile: Profile, program: number | null, text: string): TrafficMatrix | null {
  const make = () => trafficMatrix(readTraffic(profile, program), profile.tiles, kMaxCells, parseTrafficWindow(text, profile.tiles));
  return program === null && text === '' ? profile.keep('traffic matrix', make) : make();
}
