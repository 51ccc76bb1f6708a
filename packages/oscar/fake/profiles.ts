/** How installations of OSCAR differ, as far as a client can see. */

export interface Profile {
  /** What JSON has for a date column: its text, or the milliseconds of the server's midnight. */
  readonly dates: 'text' | 'midnight';
  /** Hours that the server believes to be from UTC on this date; the clinic is at -7 all year. */
  readonly hours: (date: string) => number;
  readonly zulu: boolean;
  readonly putAnswers: 'xml' | 'json';
  readonly admitsSoap: boolean;
  /** How REST answers a token that is not valid. */
  readonly badToken: 401 | 500;
  readonly unknownProvider: 'empty' | 404;
}

/** Zone data from before British Columbia gave up the change of clocks. */
const stale = (date: string) => (date >= '2026-11-01' && date < '2027-03-14' ? -8 : -7);

const oscar19: Profile = {
  dates: 'text',
  hours: stale,
  zulu: false,
  putAnswers: 'xml',
  admitsSoap: true,
  badToken: 401,
  unknownProvider: 'empty',
};

export const profiles = {
  /** Classic OSCAR: Jackson 1. */
  oscar19,
  /** Open-O: Jackson 2. */
  openo: {
    ...oscar19,
    dates: 'midnight',
    hours: () => -7,
    putAnswers: 'json',
    badToken: 500,
    unknownProvider: 404,
  },
  /** Hosted behind a firewall that lets no SOAP through. */
  kai: { ...oscar19, admitsSoap: false },
  /** A server that runs in UTC while its clinic does not, and prints the clinic's digits with a Z. */
  utc: { ...oscar19, hours: () => 0, zulu: true },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
