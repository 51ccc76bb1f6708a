/** The service takes no more; in code points (§3 Message). */
export const MESSAGE_CHARACTERS = 4000;
