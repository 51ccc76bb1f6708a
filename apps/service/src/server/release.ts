/** The version of this program, as package.json has it. */
export const RELEASE = '0.2.0';
