import { Screen } from './screen.ts';

/** The page at any address that is none (§2 Routes). */
export class NotFound extends Screen {
  static readonly heading = 'Page not found';
}
