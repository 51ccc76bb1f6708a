/** The fee from which on a warning is due and a paid appointment cannot be cancelled, in cents. */
export const HIGH_FEE_CENTS = 14_000;

/** Whether a fee must be accepted in a warning first: 140 dollars or more. */
export function needsFeeWarning(cents: number): boolean {
  return cents >= HIGH_FEE_CENTS;
}

/** Decimal dollars of the API from the cents inside.. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** Cents from decimal dollars of the API, or null when they are no whole number of cents. */
export function centsOf(dollars: number): number | null {
  const cents = Math.round(dollars * 100);
  return Number.isSafeInteger(cents) && Math.abs(dollars * 100 - cents) < 1e-6 ? cents : null;
}

/** 'CAD 150.00'. */
export function formatFee(cents: number): string {
  return `CAD ${decimals(cents)}`;
}

/** '$150.00', as the fee schedule and the texts that patients agree to write it. */
export function formatLegalFee(cents: number): string {
  return `$${decimals(cents)}`;
}

const decimals = (cents: number) => (cents / 100).toFixed(2);
