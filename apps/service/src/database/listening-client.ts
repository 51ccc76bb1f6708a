import { Socket } from 'node:net';
import pg from 'pg';

/** The server was asked and did not answer in time; the connection is gone. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer in time');
  }
}

/** Connections to one server that notice when it does not answer. */
export interface Listening {
  /** In place of pg's own, for a pool or alone. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  /**
   * Milliseconds since the server was asked something, a connection included, and has answered
   * nothing at all; 0 when whatever was asked last was answered. Who waits for a connection of a full
   * pool has not asked yet.
   */
  silentForMs(): number;
}

type Told = (error: unknown, ...rest: unknown[]) => void;

/**
 * A firewall that forgets a connection, or a server process that is frozen, says nothing, and pg
 * would wait for ever. A connection whose statement has no answer after `deadlineMs` is destroyed,
 * never used again: a late answer would be taken for that of another statement. With it go the idle
 * ones that nobody has heard since it was asked, for what silenced one silenced others.
 */
export function listeningClients(deadlineMs: number): Listening {
  const clients = new Set<ListeningClient>();
  let waiting = 0;
  /** When the server was asked first since it answered last. */
  let askedAt: number | null = null;

  const asks = () => {
    waiting += 1;
    askedAt ??= performance.now();
  };
  const answered = () => {
    waiting -= 1;
    askedAt = waiting > 0 ? performance.now() : null;
  };
  const unanswered = () => {
    waiting -= 1;
  };

  class ListeningClient extends pg.Client {
    readonly #socket: Socket;
    #waiting = 0;
    #awaitingSince = 0;
    #lastHeardAt = performance.now();
    #deadline: NodeJS.Timeout | undefined;

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
      clients.add(this);
      socket.once('close', () => {
        clearTimeout(this.#deadline);
        clients.delete(this);
      });
    }

    // pg declares a dozen forms of each call; all end in one callback or one promise.
    override connect(...given: unknown[]): never {
      asks();
      const heard = (error: unknown) => {
        this.#lastHeardAt = performance.now();
        if (error) unanswered();
        else answered();
      };
      return telling(given, heard, (all) => super.connect(...(all as []))) as never;
    }

    override query(...given: unknown[]): never {
      asks();
      this.#waiting += 1;
      if (this.#waiting === 1) this.#await();
      const heard = (error: unknown) => {
        this.#waiting -= 1;
        if (this.#waiting === 0) clearTimeout(this.#deadline);
        // What the server says is an answer; what else goes wrong is none.
        if (error && !(error instanceof pg.DatabaseError)) return unanswered();
        answered();
        this.#lastHeardAt = performance.now();
        // The server turns to the next one only now.
        if (this.#waiting > 0) this.#await();
      };
      return telling(given, heard, (all) => super.query(...(all as [string]))) as never;
    }

    /** A goodbye is not waited for longer. */
    override end(...given: unknown[]): never {
      const goodbye = setTimeout(() => this.#socket.destroy(), deadlineMs).unref();
      this.#socket.once('close', () => clearTimeout(goodbye));
      return super.end(...(given as [])) as unknown as never;
    }

    #await(): void {
      const since = performance.now();
      this.#awaitingSince = since;
      clearTimeout(this.#deadline);
      // A process that stood still itself reads first what came meanwhile.
      this.#deadline = setTimeout(() => setImmediate(() => this.#giveUp(since)), deadlineMs);
    }

    #giveUp(since: number): void {
      if (this.#waiting === 0 || this.#awaitingSince !== since) return;
      for (const client of clients)
        if (client === this || (client.#waiting === 0 && client.#lastHeardAt <= since))
          client.#socket.destroy(new ConnectionSilent());
    }
  }

  return {
    Client: ListeningClient,
    silentForMs: () => (askedAt === null ? 0 : performance.now() - askedAt),
  };
}

/** Calls with what was given and hears of the end before the caller does. */
function telling(
  given: readonly unknown[],
  heard: (error: unknown) => void,
  call: (given: readonly unknown[]) => unknown,
): unknown {
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    const told: Told = (error, ...rest) => {
      heard(error);
      (callback as Told)(error, ...rest);
    };
    return call([...given.slice(0, -1), told]);
  }
  const answer = call(given) as Promise<unknown>;
  answer.then(() => heard(null), heard);
  return answer;
}
