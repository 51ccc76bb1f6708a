export * from './alphabets.ts';
export * from './errors.ts';
export { overlap, type WallSpan } from './wall-clock.ts';
