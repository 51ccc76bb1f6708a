import { randomInt } from 'node:crypto';

// Whoever starts the tests comes here first: all its processes take over the seed.
if (process.env['LONG'] === '1' && process.env['TEST_SEED'] === undefined) {
  process.env['TEST_SEED'] = String(randomInt(2 ** 31));
  process.stdout.write(`The same choices again: TEST_SEED=${process.env['TEST_SEED']}\n`);
}

/**
 * Where all that tests choose by chance begins: at the same number each time, so that what fails is the change.
 * With LONG=1 at another, which is printed; TEST_SEED repeats that.
 */
export const testSeed = (usual = 20_261_121): number => Number(process.env['TEST_SEED'] ?? usual);
