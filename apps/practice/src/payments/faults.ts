/**
 * What can go wrong with one call. `dropBefore`, `dropAfter`: the connection breaks before or after
 * the effect. `error500`: a 500 without effect, which its key repeats; `error500After`: the same after
 * the effect. `tooMany`: a 429, nothing happened. `stall`: no answer, and the effect comes late.
 */
export type GatewayFault =
  'dropBefore' | 'dropAfter' | 'error500' | 'error500After' | 'tooMany' | 'stall';

export type GatewayCall =
  'create' | 'confirm' | 'retrieve' | 'capture' | 'cancel' | 'refund' | 'find' | 'list';

/** Asked once per call; null lets it through. */
export type FaultSwitch = (call: GatewayCall) => GatewayFault | null;

export const noFaults: FaultSwitch = () => null;

/** A webhook call on its way: the raw body and its signature header. */
export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

/** How webhooks arrive: each lost, so many times, in which order. */
export interface WebhookFaults {
  readonly copies: number;
  readonly reversed: boolean;
  /** Adds, for each, one whose body was changed and one signed with another secret. */
  readonly forged: boolean;
}

/** The calls that arrive for these events. */
export function arrivals(
  events: readonly SignedEvent[],
  { copies, reversed, forged }: WebhookFaults,
  signWrongly: (body: string) => string,
): SignedEvent[] {
  const ordered = reversed ? events.toReversed() : [...events];
  return ordered.flatMap((event) => {
    const changed = event.body.replace('"livemode":false', '"livemode":true ');
    const fakes = forged
      ? [
          { body: changed, signature: event.signature },
          { body: event.body, signature: signWrongly(event.body) },
        ]
      : [];
    return [...fakes, ...Array.from({ length: copies }, () => event)];
  });
}
