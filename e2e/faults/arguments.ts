import { parseArgs } from 'node:util';

export interface FaultArguments {
  /** Length of the storm. */
  readonly seconds: number;
  readonly seed: number;
  /** Plant bad histories and broken servers; with nothing else asked for, only these. */
  readonly selfTest: boolean;
  /** The proofs to run, by name. */
  readonly proofs: readonly string[];
  /** The form that every `npm test` runs. */
  readonly short: boolean;
}

export const PROOFS = ['storm', 'crush', 'swap', 'stop', 'lost', 'told', 'silence'] as const;

/** `--seconds 60 --seed 7 --self-test --only storm,swap --short`. */
export function readArguments(given: readonly string[], freshSeed: number): FaultArguments {
  const { values } = parseArgs({
    args: [...given],
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      'self-test': { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
    },
  });
  const { short } = values;
  const onlySelfTest = values['self-test'] && values.seconds === undefined && !short;
  const proofs = values.only?.split(',') ?? (onlySelfTest ? [] : PROOFS);
  const unknown = proofs.filter((name) => !(PROOFS as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new Error(`No proof is called ${unknown.join(', ')}; there are ${PROOFS.join(', ')}`);
  }
  return {
    seconds: number(values.seconds, short ? 30 : 60),
    seed: number(values.seed, freshSeed),
    selfTest: values['self-test'] || short,
    proofs,
    short,
  };
}

function number(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${text ?? ''} is no whole number`);
  return value;
}
