import { UserFacingError } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import type { CallAnswer } from '@clinic/contract';
import { type LookReason, type UnsureChart, toClinic } from '@clinic/domain';
import { formatDay, formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { RadioRows } from '@clinic/ui/radio-cards';
import { TextField } from '@clinic/ui/text-field';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useMay } from '../../shared/may.ts';
import { DeskDialog } from '../../shared/under-way.tsx';
import { locale, t } from '../../shared/words.ts';
import { Fact, Facts, PhoneLink } from '../../shared/fact.tsx';
import { type Patient, type PatientDialog, nameOf, patientDialog } from './patient-data.ts';
import styles from './patients.module.css';

interface ChartsProps {
  patientId: string;
  name: string;
  lookReason?: LookReason | undefined;
  dialog: PatientDialog;
}

type Charts = CallAnswer<'deskLikelyCharts'>['extras'];
type Chart = Charts['charts'][number];
/** No number of a chart. */
const NONE = 'none';

/**
 * A patient beside the EMR's charts that may be theirs, and beside the one that they have. Staff say which it
 * is, or that none is.
 */
export function ChooseChart({ patientId, name, lookReason, dialog }: ChartsProps) {
  const [asked, setAsked] = useState('');
  const found = useQuery({
    queryKey: ['patients', 'charts', patientId, asked],
    queryFn: async () => {
      const body = { ...(lookReason && { lookReason }), ...(asked !== '' && { chart: asked }) };
      return (await ask('deskLikelyCharts', { params: { id: patientId }, body })).extras;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const title = t('desk.chartTitle', { name });
  if (found.data)
    return (
      <Choose
        {...found.data}
        patientId={patientId}
        title={title}
        asked={asked}
        isAsking={found.isFetching}
        onAsk={setAsked}
        dialog={dialog}
      />
    );
  return (
    <DeskDialog title={title} size="large" onClose={dialog.onClose} key="waits">
      <LoadState
        of={{ ...found, refetch: () => (asked === '' ? found.refetch() : setAsked('')) }}
      />
    </DeskDialog>
  );
}

interface ChooseProps extends Charts, Pick<ChartsProps, 'patientId' | 'dialog'> {
  title: string;
  /** The number that was looked for. */
  asked: string;
  isAsking: boolean;
  onAsk: (chart: string) => void;
}

function Choose({ patientId, title, asked, isAsking, onAsk, dialog, ...props }: ChooseProps) {
  const { name, birthDate, account, present = null, charts, ahead = [], why, seen } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [goes, setGoes] = useState<'move' | 'stay' | null>(null);
  const [number, setNumber] = useState('');
  const isAnother = present !== null && chosen !== null;
  const own = { name, birthDate, ...account };
  return (
    <ActionDialog
      title={title}
      size="large"
      actsOn={patientId}
      does={t('desk.chartDo')}
      doing={t('desk.saving')}
      {...dialog}
      work={async () => {
        if (number !== '' && number !== asked) throw new UserFacingError(t('desk.chartLookFirst'));
        if (chosen === null) throw new UserFacingError(t('desk.chartMissing'));
        if (isAnother && ahead.length > 0 && goes === null)
          throw new UserFacingError(t('desk.chartGoesMissing'));
        const isNone = chosen === NONE;
        const apartFrom = isNone ? charts.map(({ chart }) => chart) : [];
        const body = {
          chart: isNone ? null : chosen,
          apartFrom,
          ...(seen !== undefined && { seen }),
          ...(isAnother && { appointments: goes ?? ('stay' as const) }),
        };
        const { extras } = await ask('deskDecideChart', { params: { id: patientId }, body });
        if (isNone) return t('desk.chartNoneDone', { name });
        const chart = extras?.chart ?? chosen;
        if (!isAnother) return t('desk.chartDone', { name, chart });
        return t('desk.chartOtherDone', { name, chart, n: extras?.moved ?? 0 });
      }}
    >
      {why && <Waits name={name} why={why} />}
      <div className={styles.sides}>
        <Side title={t('desk.chartAccount')} of={own} />
        {present && (
          <Side
            title={t('desk.chartPresent', { chart: present.number })}
            of={present.chart}
            own={own}
          />
        )}
        {charts.map((each) => (
          <Side
            key={each.chart}
            title={t('desk.chartOf', { chart: each.chart })}
            of={each}
            own={own}
          />
        ))}
      </div>
      {charts.length === 0 && <p>{t(present ? 'desk.chartNoOther' : 'desk.chartNothing')}</p>}
      <div className={styles.lookUp}>
        <TextField
          label={t('desk.chartNumber')}
          hint={t('desk.chartNumberHint')}
          inputMode="numeric"
          value={number}
          onChange={setNumber}
        />
        <Button
          variant="secondary"
          busy={isAsking}
          busyLabel={t('desk.chartLooking')}
          disabled={!/^[1-9]\d{0,9}$/.test(number)}
          onClick={() => onAsk(number)}
        >
          {t('desk.chartLook')}
        </Button>
      </div>
      {(charts.length > 0 || present === null) && (
        <RadioRows
          label={t('desk.chartWhich')}
          options={[
            ...charts.map((each) => ({
              value: each.chart,
              label: t('desk.chartNo', { chart: each.chart, name: each.name }),
              description: stateOf(each),
            })),
            ...(present === null
              ? [{ value: NONE, label: t('desk.chartNone'), description: t('desk.chartNoneHint') }]
              : []),
          ]}
          value={chosen}
          onChange={setChosen}
        />
      )}
      {isAnother && ahead.length > 0 && (
        <>
          <p>{t('desk.chartAhead', { chart: present.number })}</p>
          <ul className={styles.list}>
            {ahead.map(({ id, start, description, provider }) => (
              <li key={id}>
                {formatMoment(locale(), start)}, {description}, {provider ?? t('desk.withNobody')}
              </li>
            ))}
          </ul>
          <RadioRows
            label={t('desk.chartGoes')}
            options={(['move', 'stay'] as const).map((value) => ({
              value,
              label: t(`desk.chartGoes.${value}`),
              description: t(`desk.chartGoesAbout.${value}`),
            }))}
            value={goes}
            onChange={setGoes}
          />
        </>
      )}
    </ActionDialog>
  );
}

/** Why staff have to say which chart it is; null where that is not known. */
function Waits({ name, why }: { name: string; why: UnsureChart | null }) {
  return (
    <Notice kind="caution">
      <p>
        {why !== 'merged' && t('desk.chartWaits', { name })} {why && t(`desk.chartWhy.${why}`)}
      </p>
    </Notice>
  );
}

const stateOf = ({ hasCard, state, isOfAnother }: Chart) =>
  [
    t(hasCard ? 'desk.chartCard' : 'desk.chartNoCard'),
    state !== 'active' && t(`desk.chartState.${state}`),
    isOfAnother && t('desk.chartOfAnother'),
  ]
    .filter(Boolean)
    .join(', ');

type Shown = Pick<Chart, 'name' | 'birthDate'> &
  Partial<Pick<Chart, 'card' | 'phones' | 'email' | 'address' | 'sex'>>;

interface SideProps {
  title: string;
  /** Null for a chart that the EMR has no more. */
  of: (Shown & Partial<Pick<Chart, 'state' | 'hasCard' | 'isOfAnother'>>) | null;
  /** The account that a chart is compared with. */
  own?: Shown;
}

/** One of those that are compared; what is not as in the account says so. */
function Side({ title, of, own }: SideProps) {
  if (of === null)
    return (
      <section>
        <h3>{title}</h3>
        <p>{t('desk.chartGone')}</p>
      </section>
    );
  const plain = (text = '') =>
    text
      .normalize('NFD')
      .replaceAll(/[^\p{L}\d]/gu, '')
      .toLowerCase();
  const mark = (isOther: boolean) => own && isOther && <strong> ({t('desk.chartDiffers')})</strong>;
  const or = (text: string | undefined) => text || t('desk.cardNone');
  const { card, phones = [], state = 'active' } = of;
  return (
    <section>
      <h3>{title}</h3>
      <Facts>
        <Fact name={t('desk.mergeName')}>
          {of.name}
          {mark(plain(of.name) !== plain(own?.name))}
        </Fact>
        <Fact name={t('desk.birthDate')}>
          {of.birthDate || '?'}
          {mark(of.birthDate !== own?.birthDate)}
        </Fact>
        <Fact name={t('desk.card')}>
          {card ? `${card.province} ${card.number}` : t('desk.cardNone')}
          {mark(of.hasCard === false && Boolean(card) && Boolean(own?.card))}
        </Fact>
        <Fact name={t('desk.phone')}>
          {phones.length === 0 && t('desk.cardNone')}
          {phones.map((phone) => (
            <div key={phone}>
              <PhoneLink phone={phone} />
            </div>
          ))}
        </Fact>
        <Fact name={t('desk.email')}>{or(of.email)}</Fact>
        <Fact name={t('desk.address')}>{or(of.address)}</Fact>
        <Fact name={t('desk.chartSex')}>{or(of.sex)}</Fact>
        {own && (
          <Fact name={t('desk.status')}>
            {t(`desk.chartState.${state}`)}
            {of.isOfAnother && `, ${t('desk.chartOfAnother')}`}
          </Fact>
        )}
      </Facts>
    </section>
  );
}

interface ChartOfPatientProps {
  patient: Patient;
  lookReason: LookReason | undefined;
  onDone: (says: string) => void;
}

/** At a patient's record: which chart of the EMR theirs is, and the way to say that it is another. */
export function ChartOfPatient({ patient, lookReason, onDone }: ChartOfPatientProps) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { account, chart = null, chartWaits = null, isInEmr } = patient;
  if (!isInEmr || account === null || account.closedAt !== null) return null;
  return (
    <>
      {chartWaits && <Waits name={nameOf(patient)} why={chartWaits.why} />}
      <p>{chart === null ? t('desk.chartNoneYet') : t('desk.chartIs', { chart })}</p>
      {may(chart === null ? 'addPatient' : 'mergePatients') && (
        <div className={styles.buttons}>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            {t(chart === null ? 'desk.chartChoose' : 'desk.chartChange')}
          </Button>
        </div>
      )}
      {isOpen && (
        <ChooseChart
          patientId={account.id}
          name={nameOf(patient)}
          lookReason={lookReason}
          dialog={patientDialog(() => setOpen(false), onDone)}
        />
      )}
    </>
  );
}

type SignUp = NonNullable<CallAnswer<'deskPatientsWaiting'>['extras']['refused']>[number];

/** Sign-ups that got no account, until somebody has called and seen to them. */
export function RefusedSignUps({ rows }: { rows: readonly SignUp[] }) {
  const may = useMay();
  const [said, say] = useSaid();
  const see = useAction({
    work: ({ id }: SignUp) => ask('deskSeeToSignUp', { params: { id }, body: {} }),
    shows: [['patients', 'waiting']],
    onDone: (_, { name }) => say(t('desk.signUpSeen', { name })),
  });
  return (
    <div>
      {rows.length > 0 && <h3>{t('desk.waitingSignUps')}</h3>}
      {said}
      <Outcome of={see} />
      {rows.length > 0 && (
        <>
          <p className={styles.soft}>{t('desk.signUpAbout')}</p>
          <ul className={styles.list}>
            {rows.map((row) => {
              const isBusy = see.pending && see.input === row;
              return (
                <li key={row.id}>
                  <span>
                    {row.name}, {t('desk.bornOn', { date: row.birthDate })}
                  </span>
                  <PhoneLink phone={row.phone} />
                  <a href={`mailto:${row.email}`}>{row.email}</a>
                  <span className={styles.soft}>
                    {t('desk.waitingSince', { when: formatDay(locale(), toClinic(row.at).date) })}
                  </span>
                  {may('addPatient') && (
                    <Button
                      variant="secondary"
                      actsOn={row.id}
                      aria-label={isBusy ? undefined : t('desk.signUpSeeTo', { name: row.name })}
                      busy={isBusy}
                      busyLabel={t('desk.saving')}
                      onClick={() => see.run(row)}
                    >
                      {t('desk.signUpSee')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}
