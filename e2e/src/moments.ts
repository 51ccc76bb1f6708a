/** Saturday 2026-11-21, 09:00 clinic time: the first winter in which old zone data is wrong. */
export const ordinaryMorning = '2026-11-21T16:00:00Z';

/** Tuesday 2026-12-15, 13:00 clinic time; a phone with old zone data calls it 12:00. */
export const winterAfternoon = '2026-12-15T20:00:00Z';

/** Saturday 2026-11-21, 19:00:00 clinic time: from now on the date picker begins tomorrow. */
export const saturdayEvening = '2026-11-22T02:00:00Z';
