import { codeOf, messageOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import type { ApiFoundPatient, ApiTrailEntry, CallInput } from '@clinic/contract';
import { addDays, formatTime, toClinic } from '@clinic/domain';
import { formatDate, formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { focusByPress } from '@clinic/ui/focus';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, Search } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Finder } from '../../shared/booking/finder.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { whyNoDay } from '../../shared/day-field.tsx';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { saveTable } from '../../shared/files.ts';
import { useMay } from '../../shared/may.ts';
import { Page } from '../../shared/page.tsx';
import { Pager } from '../../shared/pager.tsx';
import { waitingQuery, becomes } from '../../shared/stop-line.tsx';
import { DeskDialog } from '../../shared/under-way.tsx';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import styles from './audit.module.css';
import { actionText, actorText, detailText, subjectText } from './words-of-trail.ts';

const A_WEEK = 7;

/** The audit trail, filtered by patient, actor and time. */
export function AuditPage() {
  const may = useMay();
  const [patient, setPatient] = useState<ApiFoundPatient | null>(null);
  const [search, setSearch] = useState<TrailSearch>(() => ({
    from: addDays(toClinic(clinicNow()).date, 1 - A_WEEK),
  }));
  // Position after which the current page begins; null on the first.
  const [after, setAfter] = useState<string | null>(null);
  // Asked for again each time that it is opened.
  const trail = useQuery({
    queryKey: ['audit', search, after],
    queryFn: async () =>
      (await ask('deskAuditTrail', { body: { ...search, ...(after !== null && { after }) } }))
        .extras,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const table = useRef<HTMLDivElement>(null);
  const show = (next: TrailSearch) => {
    setAfter(null);
    setSearch(next);
  };
  const turn = (next: string | null) => {
    setAfter(next);
    focusByPress(table.current);
  };
  const { data } = trail;
  return (
    <Page size="wide" title={t('desk.screen.audit')}>
      <p className={office.soft}>{t('desk.audit.about')}</p>
      <Filter
        patient={patient}
        search={search}
        busy={trail.isFetching}
        onPatient={(picked) => {
          setPatient(picked);
          const { patientId: _patient, recordId: _record, ...rest } = search;
          show({ ...rest, ...whoseOf(picked) });
        }}
        onShow={show}
      />
      {may('export') && <Export search={search} />}
      <LoadState of={trail} />
      {data && data.entries.length === 0 && <EmptyState>{t('desk.audit.none')}</EmptyState>}
      {data && data.entries.length > 0 && (
        <>
          <Entries
            entries={data.entries}
            table={table}
            title={
              patient === null
                ? t('desk.audit.caption')
                : t('desk.audit.captionOf', { name: patient.name })
            }
          />
          <Pager
            label={t('desk.audit.pages')}
            after={after}
            next={data.next}
            busy={trail.isPlaceholderData}
            onTurn={turn}
          />
        </>
      )}
    </Page>
  );
}

function whoseOf(patient: ApiFoundPatient | null): TrailSearch {
  if (patient === null) return {};
  const { patientId, recordId } = patient;
  return patientId === null ? { recordId } : { patientId };
}

interface FilterProps {
  patient: ApiFoundPatient | null;
  search: TrailSearch;
  busy: boolean;
  onPatient: (patient: ApiFoundPatient | null) => void;
  onShow: (search: TrailSearch) => void;
}

function Filter({ patient, search, busy, onPatient, onShow }: FilterProps) {
  const staff = useQuery({
    queryKey: ['audit-staff'],
    queryFn: async () => (await ask('deskAuditStaff', {})).extras.staff,
  });
  const [isFinding, setFinding] = useState(false);
  const [staffId, setStaffId] = useState(search.staffId ?? '');
  const [from, setFrom] = useState(search.from ?? '');
  const [to, setTo] = useState(search.to ?? '');
  const [isChecked, setChecked] = useState(false);
  const whyNot = (day: string) => (day === '' ? null : whyNoDay(day));
  const chosen: TrailSearch = {
    ...whoseOf(patient),
    ...(staffId !== '' && { staffId }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
  };
  // What is chosen meanwhile can be shown at once.
  const isAsked = busy && JSON.stringify(chosen) === JSON.stringify(search);
  return (
    <>
      <form
        className={styles.filter}
        aria-label={t('desk.audit.filter')}
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (whyNot(from) !== null || whyNot(to) !== null) return;
          onShow(chosen);
        }}
      >
        <div className={styles.patient}>
          <p>
            <b>{t('desk.audit.patient')}</b>
            <br />
            {patient === null ? t('desk.audit.anyPatient') : patient.name}
          </p>
          <div className={office.buttons}>
            <Button
              variant="secondary"
              icon={<Search size={18} aria-hidden="true" />}
              onClick={() => setFinding(true)}
            >
              {t(patient === null ? 'desk.audit.findPatient' : 'desk.audit.otherPatient')}
            </Button>
            {patient !== null && (
              <Button variant="quiet" onClick={() => onPatient(null)}>
                {t('desk.audit.allPatients')}
              </Button>
            )}
          </div>
        </div>
        <SelectField
          label={t('desk.audit.staff')}
          placeholder={t('desk.audit.anybody')}
          options={(staff.data ?? []).map(({ id, name, isClosed }) => ({
            value: id,
            label: isClosed ? t('desk.audit.left', { name }) : name,
          }))}
          value={staffId}
          onChange={setStaffId}
        />
        <TextField
          type="date"
          label={t('desk.from')}
          error={isChecked ? whyNot(from) : null}
          value={from}
          onChange={setFrom}
        />
        <TextField
          type="date"
          label={t('desk.to')}
          error={isChecked ? whyNot(to) : null}
          value={to}
          onChange={setTo}
        />
        <div>
          <Button type="submit" busy={isAsked} busyLabel={t('desk.audit.showing')}>
            {t('desk.audit.show')}
          </Button>
        </div>
      </form>
      {staff.isError && <LoadState of={staff} />}
      {isFinding && (
        <DeskDialog title={t('desk.findPatient')} size="large" onClose={() => setFinding(false)}>
          <Finder
            keepsSearch
            onPick={(picked) => {
              setFinding(false);
              onPatient(picked);
            }}
          />
        </DeskDialog>
      )}
    </>
  );
}

function Export({ search }: { search: TrailSearch }) {
  const save = useAction({
    work: async (body: ExportAsked) => (await ask('deskExportAudit', { body })).extras,
    onDone: saveTable,
    shows: [waitingQuery.queryKey],
    gcTime: 0,
  });
  const waiting = useQuery(waitingQuery);
  const files = (waiting.data?.acts ?? []).filter(({ act, isOwn }) => act === 'export' && isOwn);
  const waits = codeOf(save.error) === 'exportWaits';
  return (
    <div>
      <Button
        variant="secondary"
        icon={<Download size={18} aria-hidden="true" />}
        busy={save.pending}
        busyLabel={t('desk.saving')}
        onClick={() => save.run(search)}
      >
        {t('desk.audit.export')}
      </Button>
      {waits ? (
        <ActionOutcome press={save.press} kind="caution">
          {save.error && messageOf(save.error)}
        </ActionOutcome>
      ) : (
        <Outcome of={save} done={t('desk.audit.exported')} />
      )}
      {waiting.isLoadingError && <LoadState of={waiting} />}
      {files.length > 0 && (
        <>
          <h2>{t('desk.audit.files')}</h2>
          <ul>
            {files.map((each) => (
              <li key={each.id}>
                <p>{becomes(each)}</p>
                {each.state === 'ready' && (
                  <Button
                    variant="secondary"
                    actsOn={each.id}
                    busy={save.pending}
                    busyLabel={t('desk.saving')}
                    onClick={() => save.run({ waited: each.id })}
                  >
                    {t('desk.audit.fetch', { asked: formatMoment(locale(), each.askedAt) })}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface EntriesProps {
  entries: readonly ApiTrailEntry[];
  title: string;
  table: RefObject<HTMLDivElement | null>;
}

function Entries({ entries, title, table }: EntriesProps) {
  return (
    <DataTable
      caption={title}
      showCaption
      ref={table}
      columns={[
        t('desk.when'),
        t('desk.audit.who'),
        t('desk.audit.what'),
        t('desk.audit.whom'),
        t('desk.audit.details'),
      ]}
      rows={entries.map((entry) => (
        <tr key={entry.id}>
          <td className={styles.when}>
            <span>{formatDate(locale(), toClinic(entry.at).date)}</span>{' '}
            <span>{formatTime(entry.at)}</span>
          </td>
          <td>{actorText(entry.actor)}</td>
          <th scope="row">{actionText(entry.action)}</th>
          <td>{subjectText(entry)}</td>
          <td className={office.soft}>
            {entry.details
              .filter(({ value }) => value !== '')
              .map((detail) => detailText(entry.action, detail))
              .join(' · ')}
          </td>
        </tr>
      ))}
    />
  );
}

/** Filter of the audit trail. */
type TrailSearch = Omit<ExportAsked, 'waited'>;
type ExportAsked = CallInput<'deskExportAudit'>['body'];
