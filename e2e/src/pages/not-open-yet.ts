import { Screen } from './screen.ts';

/** A page whose part is still to come. */
export class NotOpenYet extends Screen {
  static readonly heading = /^(My Account|Sign Up|Forgot Password)$/;
}
