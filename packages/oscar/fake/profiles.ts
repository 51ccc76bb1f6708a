/** How installations of OSCAR differ, as far as a client can see. */

export interface Profile {
  /** Hours that the server believes to be from UTC at this instant; the clinic is at -7 all year. */
  readonly hours: (at: number) => number;
  readonly zulu: boolean;
  /** The path that it is installed at. */
  readonly context: string;
  /** CARLOS: no SystemInfoService from outside, and tokens with scopes, for an hour, that take no request twice. */
  readonly isRestricted: boolean;
  /** Whether the callback of a handshake has to begin with the URI of the REST client. */
  readonly checksCallback: boolean;
  /** Whether REST has a service for documents. */
  readonly takesDocuments: boolean;
  readonly admitsSoap: boolean;
  /** What WS-Security's fault is called, and the namespace of its prefix. */
  readonly securityFault: readonly [code: string, namespace: string];
  /** How REST answers a token that is not valid. */
  readonly badToken: 401 | 500;
}

const HOUR = 3_600_000;
/** Zone data from before British Columbia gave up the change of clocks. */
const stale = (at: number) =>
  at >= Date.UTC(2026, 10, 1, 9) && at < Date.UTC(2027, 2, 14, 10) ? -8 : -7;

const classic: Profile = {
  hours: stale,
  zulu: false,
  context: '/oscar',
  isRestricted: false,
  checksCallback: true,
  takesDocuments: false,
  admitsSoap: true,
  securityFault: [
    'FailedAuthentication',
    'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd',
  ],
  badToken: 401,
};

const openo: Profile = {
  ...classic,
  checksCallback: false,
  takesDocuments: true,
  securityFault: ['SecurityError', 'http://ws.apache.org/wss4j'],
  badToken: 500,
};

export const profiles = {
  /** Classic OSCAR of 2019. Read in its source, not seen: how it refuses a callback is a guess; REST as Open-O's. */
  classic,
  /** Open-O. Held against recordings of a real one. */
  openo,
  /** CARLOS as it comes. Read in its source, not seen: the JSON of its errors is a guess, its limits are not played. */
  carlos: { ...openo, context: '/carlos', isRestricted: true, checksCallback: true },
  /** Hosted behind a firewall that lets no SOAP through. */
  kai: { ...classic, admitsSoap: false, takesDocuments: true },
  /** A later classic one, in UTC while its clinic is not: it prints the clinic's digits with a Z. */
  utc: { ...classic, hours: () => 0, zulu: true, takesDocuments: true },
} satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

/** The instant of a wall clock as the server reckons it. */
export function instant({ hours }: Profile, date: string, seconds = 0): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + seconds * 1000;
  return wall - hours(wall + 7 * HOUR) * HOUR;
}

/** The server's wall clock with the offset that it believes in. */
export function moment({ hours, zulu }: Profile, at: number): string {
  const wall = new Date(at + hours(at) * HOUR).toISOString().slice(0, 19);
  return `${wall}${zulu ? 'Z' : `-0${-hours(at)}:00`}`;
}

export const momentAt = (profile: Profile, date: string, seconds = 0) =>
  moment(profile, instant(profile, date, seconds));
