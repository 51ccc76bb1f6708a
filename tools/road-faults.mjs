// Faults to plant in the installation of docs/deploy.md, one after the other. Each must make one line of the
// doctor say WRONG, with its cure, and that line must be good again after the repair.
const ENV = '/etc/clinic/service.env';
const POOLER = '/tmp/pooler';

/** `plant` and `mend` are shell commands; the settings are restored automatically. */
export const FAULTS = [
  {
    what: 'a missing setting',
    line: 'settings',
    cure: 'Set it, such as CLINIC_PHONE=',
    plant: `sed --in-place /^CLINIC_PHONE=/d ${ENV}`,
  },
  {
    what: 'a weak secret',
    line: 'settings',
    cure: 'openssl rand',
    plant: `echo DASHBOARD_SECRET=short >> ${ENV}`,
  },
  {
    what: 'an old database',
    line: 'database',
    cure: 'Upgrade PostgreSQL to 15',
    ...planting(
      'current_setting(text) returns text',
      `case $1 when 'server_version_num' then '140011' else pg_catalog.current_setting($1) end`,
    ),
  },
  {
    what: 'a pooler of transactions that is not declared',
    line: 'pooler',
    cure: 'Set DATABASE_DIRECT_URL',
    plant: `install -d -o postgres ${POOLER}
printf '"clinic" "%s"\\n' "$DB_PASSWORD" > ${POOLER}/users
printf '%s\\n' '[databases]' 'clinic = host=127.0.0.1' '[pgbouncer]' 'listen_addr = 127.0.0.1' 'listen_port = 6433' \\
  'pool_mode = transaction' 'auth_type = scram-sha-256' 'auth_file = ${POOLER}/users' 'unix_socket_dir =' \\
  'pidfile = ${POOLER}/pid' 'logfile = ${POOLER}/log' > ${POOLER}/ini
su postgres -c 'pgbouncer --quiet --daemon ${POOLER}/ini'
sed --in-place s,@127.0.0.1/clinic,@127.0.0.1:6433/clinic, ${ENV}`,
    mend: `kill "$(cat ${POOLER}/pid)"`,
  },
  {
    what: 'a clock that is off',
    line: 'clock',
    cure: 'timedatectl set-ntp true',
    ...planting(
      'clock_timestamp() returns timestamptz',
      `pg_catalog.clock_timestamp() + interval '5 s'`,
    ),
  },
  {
    what: 'zone data of two years ago',
    line: 'zone data',
    cure: 'Upgrade the service',
    ...editing(
      '/srv/clinic/app/packages/domain/src/clinic-zone.generated.ts',
      String.raw`s/ZONE_DATA_VERSION = '20../ZONE_DATA_VERSION = '2024/`,
    ),
  },
  {
    what: 'a mail server that refuses',
    line: 'mail server',
    cure: 'Mend SMTP_URL',
    plant: `echo SMTP_URL=smtp://127.0.0.1:26 >> ${ENV}`,
  },
  {
    what: 'a sender without SPF',
    line: 'SPF',
    cure: 'Publish one TXT record',
    plant: 'touch /root/without-spf',
    mend: 'rm /root/without-spf',
  },
  {
    what: 'no webhook in a day with payments',
    line: 'webhooks',
    cure: "Send Stripe's events to https://booking.kerrisdalepractice.ca/webhooks/stripe",
    plant: `printf '%s\\n' STRIPE_SECRET_KEY=sk_live_x STRIPE_PUBLISHABLE_KEY=pk_live_x STRIPE_WEBHOOK_SECRET=whsec_x >> ${ENV}
su postgres -c 'psql --quiet --set ON_ERROR_STOP=1 clinic' <<SQL
insert into payment (id, patient_id, appointment_id, amount_cents, state, reference, payment_method, created_at_s, changed_at_s)
select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1000, 'captured', 'P-PLANTED', 'card', now, now
  from (select extract(epoch from now())::bigint) as t (now);
SQL`,
    mend: `su postgres -c 'psql --quiet clinic' <<< "delete from payment where reference = 'P-PLANTED'"`,
  },
  {
    what: 'a key file that others can read',
    line: 'keys',
    cure: 'chmod 600',
    plant: 'chmod 644 /etc/clinic/keys/keyring.json',
    mend: 'chmod 600 /etc/clinic/keys/keyring.json',
  },
  {
    what: 'a folder of keys that others can write to',
    line: 'keys',
    cure: 'chmod 700',
    plant: 'chmod 770 /etc/clinic/keys',
    mend: 'chmod 700 /etc/clinic/keys',
  },
  {
    what: 'a proxy that is stopped',
    line: 'outside',
    cure: 'Start the service and the proxy',
    plant: 'nginx -s stop; while [ -e /run/nginx.pid ]; do sleep 0.1; done',
    mend: 'nginx',
  },
  {
    what: 'a backup of 27 hours ago',
    line: 'backup',
    cure: 'make one now',
    plant: `touch --date '27 hours ago' /var/lib/clinic/backup-done`,
    mend: 'touch /var/lib/clinic/backup-done',
  },
  {
    // An overlay file system reports the free space of its upper layer.
    what: 'a disk that is full to 96 %',
    line: 'disk',
    cure: 'Make room',
    plant: `mkdir /tmp/disk
mount -t tmpfs -o size=10m disk /tmp/disk
mkdir /tmp/disk/upper /tmp/disk/work
head --bytes=9830k /dev/zero > /tmp/disk/full
mount -t overlay -o lowerdir=/srv/clinic/app,upperdir=/tmp/disk/upper,workdir=/tmp/disk/work overlay /srv/clinic/app`,
    mend: 'umount /srv/clinic/app /tmp/disk',
  },
];

/** Plants a function that, for the clinic's role, takes precedence over PostgreSQL's own. */
function planting(head, body) {
  const inDatabase = (sql) =>
    `su postgres -c 'psql --quiet --set ON_ERROR_STOP=1 clinic' <<'SQL'\n${sql}\nSQL`;
  const name = head.replace(/ returns .*/, '');
  return {
    plant: inDatabase(
      `create function public.${head} language sql as $planted$ select ${body} $planted$;
alter role clinic set search_path = public, pg_catalog;`,
    ),
    mend: inDatabase(`alter role clinic reset search_path; drop function public.${name};`),
  };
}

function editing(file, change) {
  return {
    plant: `cp --preserve ${file} /root/before && sed --in-place "${change}" ${file}`,
    mend: `cp --preserve /root/before ${file}`,
  };
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Shell commands that plant each fault, and exit with 1 unless the doctor finds exactly that one. */
export const plantedFaults = () =>
  [
    'set +x',
    'doctor_finds() {',
    `  cp --preserve ${ENV} /root/service.env`,
    '  eval "$4"',
    '  if clinic doctor > /root/said; then echo "The doctor does not find $1"; cat /root/said; exit 1; fi',
    '  eval "$5"',
    `  cp --preserve /root/service.env ${ENV}`,
    '  echo "Planted: $1"',
    '  grep --after-context=1 "^WRONG" /root/said',
    '  test "$(grep --count "^WRONG" /root/said)" = 1',
    '  grep --after-context=1 "^WRONG  $2 " /root/said | grep --quiet --fixed-strings -- "$3"',
    '}',
    ...FAULTS.map(
      ({ what, line, cure, plant, mend = ':' }) =>
        `doctor_finds ${[what, line, cure, plant, mend].map(quoted).join(' ')}`,
    ),
    `echo "The doctor found each of ${FAULTS.length} planted faults; without them:"`,
    'clinic doctor',
  ].join('\n');
