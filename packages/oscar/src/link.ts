/** What every group of calls works with. */
import type { Rest } from './rest.ts';
import type { Session, Soap } from './soap.ts';
import type { Transport } from './transport.ts';

/** What has become known of OSCAR. */
export interface State {
  /** The session of the login, or the login that is under way. */
  session: Promise<Session> | null;
  /** When a new login last did not end a fault. */
  vainLoginAt: number;
  /** Until when REST is not asked to cancel, because it refused. */
  refusedUntil: number;
  /** When OSCAR last took the login by SOAP and the token by REST; -Infinity before that, and once it refused. */
  readonly takenAt: Record<'login' | 'token', number>;
}

/** What SOAP and REST have in common. */
export interface Way {
  readonly base: string;
  readonly transport: Transport;
  readonly urgent: boolean;
  readonly state: State;
}

export interface Link extends Way {
  readonly rest: Rest;
  readonly soap: Soap;
}
