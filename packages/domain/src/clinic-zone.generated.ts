// Written by tools/gen-clinic-zone.mjs from moment-timezone's packed data. Do not edit.
/** The IANA release that the table was made from. */
export const ZONE_DATA_VERSION = '2026f';
/** The offsets that America/Vancouver has had since 1970, in minutes east of UTC. */
export const OFFSETS = [-480, -420];
/** Which offset holds before the first change and after each. */
export const OFFSET_INDEX =
  '010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101';
/** The unit of the steps, in seconds. */
export const STEP_SECONDS = 3600;
/** From 1970-01-01T00:00Z to the first change and from each change to the next, in base 36. */
export const CHANGE_STEPS =
  '24y 3db 3dd 3hz 3dd 3db 3dd 3db 3dd 3db 3dd 3db 3dd 3hz 38p 3hz 3dd 3db 3dd 3db 3dd 3db 3dd 3db 3dd 3hz 38p 3hz 3dd 3db 3dd 3db 3dd 3db 2zd 3rb 2zd 3vz 2up 3vz 2up 3vz 2zd 3rb 2zd 3rb 2zd 3vz 2up 3vz 2up 3vz 2zd 3rb 2zd 3rb 2zd 3rb 2zd 3vz 2up 3vz 2up 3vz 2zd 3rb 2zd 3rb 2zd 3vz 2up 3vz 2up 3vz 2gp 4en 2c1 4en 2c1 4en 2gp 4en 2c1 4en 2c1 4en 2c1 4en 2c1 4en 2c1 4en 2gp 4en 2c1 4en 2c1 4en 2c1 4en 2c1 4en 2gp 4en 2c1 4en 2c1 4en 2c1 4en 2c1 4en 2c1';
