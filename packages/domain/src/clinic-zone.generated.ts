// Written by tools/gen-clinic-zone.mjs from moment-timezone's packed data. Do not edit.
/** The IANA release that the table was made from. */
export const ZONE_DATA_VERSION = '2026f';
/** The offsets that America/Vancouver has had since 1970, in minutes east of UTC. */
export const OFFSETS = [-480, -420];
/** Which offset holds before the first change and after each. */
export const OFFSET_INDEX =
  '010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101';
/** Minutes from 1970-01-01T00:00Z to the first change and from each to the next, in base 36. */
export const CHANGE_STEPS =
  '3k8o 5m6c 5m9o 5tyc 5m9o 5m6c 5m9o 5m6c 5m9o 5m6c 5m9o 5m6c 5m9o 5tyc 5eho 5tyc 5m9o 5m6c 5m9o 5m6c 5m9o 5m6c 5m9o 5m6c 5m9o 5tyc 5eho 5tyc 5m9o 5m6c 5m9o 5m6c 5m9o 5m6c 4yxo 69ic 4yxo 6hac 4r5o 6hac 4r5o 6hac 4yxo 69ic 4yxo 69ic 4yxo 6hac 4r5o 6hac 4r5o 6hac 4yxo 69ic 4yxo 69ic 4yxo 69ic 4yxo 6hac 4r5o 6hac 4r5o 6hac 4yxo 69ic 4yxo 69ic 4yxo 6hac 4r5o 6hac 4r5o 6hac 43to 7cec 3w1o 7cec 3w1o 7cec 43to 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 43to 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 43to 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 3w1o 7cec 3w1o';
