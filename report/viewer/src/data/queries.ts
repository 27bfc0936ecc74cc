// Runs the user's queries in a worker that has a copy of the file, so that the page stays responsive and a slow query can be stopped. The
// worker runs the page's own script. The script serves queries if it finds no document.
import { openDatabase, type Table } from './database';

export const kMaxSeconds = 60;

export interface Answered extends Table {
  readonly more: boolean;
  readonly ms: number;
}

interface Asked {
  readonly name: string;
  readonly bytes: Uint8Array | null; // null: the worker already has the bytes
  readonly sql: string;
  readonly limit: number;
}
type Reply = { readonly answer: Answered } | { readonly problem: string };

/** Text of the current script; empty in a worker. */
const kScript = typeof document === 'undefined' ? '' : (document.currentScript?.textContent ?? '');

export class Stopped extends Error {}

export class Queries {
  private worker: Worker | null = null;
  private asked = 0; // number of queries; a query that waits for the bytes ends if a later one was asked
  private fail: ((problem: Error) => void) | null = null;
  constructor(
    private readonly name: string,
    private readonly source: () => Promise<Uint8Array>,
  ) {}

  /**
   * Runs a query and returns at most `limit` rows. A new query stops the previous one. Rejects with the error of the query, or with
   * Stopped.
   */
  async ask(sql: string, limit: number): Promise<Answered> {
    this.stop('Another query was started.');
    const mine = ++this.asked;
    let bytes: Uint8Array | null = null;
    if (!this.worker) {
      bytes = (await this.source()).slice(); // a copy, because the bytes move to the worker
      if (mine !== this.asked) throw new Stopped('Another query was started.');
      const url = URL.createObjectURL(new Blob([kScript], { type: 'text/javascript' }));
      this.worker = new Worker(url);
      URL.revokeObjectURL(url);
    }
    const { worker, name } = this;
    return new Promise((done, failed) => {
      const timer = setTimeout(() => this.stop(`Stopped after ${kMaxSeconds} seconds: request less.`), kMaxSeconds * 1000);
      const end = () => {
        clearTimeout(timer);
        this.fail = null;
      };
      this.fail = (problem) => {
        end();
        failed(problem);
      };
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        end();
        if ('answer' in data) done(data.answer);
        else failed(new Error(data.problem));
      };
      worker.onerror = (event) => {
        this.drop();
        end();
        failed(new Error(event.message || 'The worker that runs queries could not start.'));
      };
      worker.postMessage({ name, bytes, sql, limit } satisfies Asked, bytes ? [bytes.buffer] : []);
    });
  }

  /** Stops the current query, if there is one. */
  stop(reason: string): void {
    const { fail } = this;
    if (!fail) return;
    this.drop();
    fail(new Stopped(reason));
  }

  private drop(): void {
    this.worker?.terminate();
    this.worker = null;
  }
}

/** Answers each query that the page sends; runs in a worker. */
export function serveQueries(): void {
  let database: ReturnType<typeof openDatabase> | null = null;
  const answer = async ({ name, bytes, sql, limit }: Asked): Promise<Reply> => {
    try {
      if (bytes) database = openDatabase(name, bytes);
      if (!database) return { problem: 'The worker has no file.' };
      const open = await database;
      const start = performance.now();
      return { answer: { ...open.table(sql, limit), ms: performance.now() - start } };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  };
  addEventListener('message', ({ data }: MessageEvent<Asked>) => void answer(data).then((reply) => postMessage(reply)));
}
