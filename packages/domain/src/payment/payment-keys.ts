/**
 * Names under which the gateway remembers a write; stored before the call. `round` grows when an
 * answer under the last name was an error that the gateway would only repeat.
 */
export const paymentKeys = {
  create: (payment: string) => `pi-create:${payment}`,
  confirm: (payment: string, round: number) => `pi-confirm:${payment}:${round}`,
  capture: (payment: string, round: number) =>
    round === 0 ? `pi-capture:${payment}` : `pi-capture:${payment}:${round}`,
  cancel: (payment: string, round: number) => `pi-cancel:${payment}:${round}`,
  refund: (payment: string, reason: string, round: number) =>
    round === 0 ? `refund:${payment}:${reason}` : `refund:${payment}:${reason}:${round}`,
} as const;
