import type { ApiColleague, ApiSetUp } from '@clinic/contract';
import { STAFF_ROLES, type StaffRole } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { Dialog } from '@clinic/ui/dialog';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { DataTable } from '../data-table.tsx';
import styles from '../office.module.css';
import { t } from '../words.ts';

const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: async () => (await ask('deskStaffList', {})).extras.staff,
});

type Change = 'reset' | 'close';
interface Changing {
  readonly change: Change;
  readonly colleague: ApiColleague;
}

/** Lists and changes who may sign in to the front desk. */
export function Colleagues({ providers }: Pick<ApiSetUp, 'providers'>) {
  const staff = useQuery(staffQuery);
  const [changing, setChanging] = useState<Changing>();
  const [done, setDone] = useState<{ says: string; press: number }>();
  const say = (says: string) => setDone((before) => ({ says, press: (before?.press ?? 0) + 1 }));
  return (
    <>
      {done && (
        <ActionOutcome press={done.press} kind="good">
          {done.says}
        </ActionOutcome>
      )}
      <section className={styles.section}>
        <h2>{t('desk.setUp.staff')}</h2>
        {staff.isPending && <LoadingState />}
        {staff.isError && staff.data === undefined && (
          <FailedState onRetry={() => void staff.refetch()} busy={staff.isFetching}>
            {staff.error.message}
          </FailedState>
        )}
        {staff.data && <List staff={staff.data} providers={providers} onChange={setChanging} />}
      </section>
      <Invite providers={providers} onInvited={say} />
      {changing && (
        <ChangeDialog
          {...changing}
          onClose={() => setChanging(undefined)}
          onDone={(says) => {
            setChanging(undefined);
            say(says);
          }}
        />
      )}
    </>
  );
}

interface ListProps extends Pick<ApiSetUp, 'providers'> {
  staff: readonly ApiColleague[];
  onChange: (changing: Changing) => void;
}

function List({ staff, providers, onChange }: ListProps) {
  const providerOf = ({ providerId }: ApiColleague) =>
    providers.find(({ id }) => id === providerId)?.name ?? providerId;
  return (
    <DataTable caption={t('desk.setUp.staff')}>
      <thead>
        <tr>
          <th scope="col">{t('desk.setUp.name')}</th>
          <th scope="col">{t('desk.email')}</th>
          <th scope="col">{t('desk.setUp.roles')}</th>
          <th scope="col">{t('desk.setUp.standing')}</th>
          <th scope="col">{t('desk.setUp.actions')}</th>
        </tr>
      </thead>
      <tbody>
        {staff.map((colleague) => (
          <tr key={colleague.id}>
            <th scope="row">{colleague.name}</th>
            <td>{colleague.email}</td>
            <td>
              {colleague.roles.map((role) => t(`desk.setUp.role.${role}`)).join(', ')}
              {colleague.providerId !== null && (
                <div className={styles.soft}>{providerOf(colleague)}</div>
              )}
            </td>
            <td>{t(`desk.setUp.standing.${colleague.standing}`)}</td>
            <td>
              <Actions colleague={colleague} onChange={onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Actions({
  colleague,
  onChange,
}: Pick<ListProps, 'onChange'> & Pick<Changing, 'colleague'>) {
  const { isOwn, standing, name } = colleague;
  if (isOwn) return <span className={styles.soft}>{t('desk.setUp.own')}</span>;
  if (standing === 'closed') return null;
  return (
    <div className={styles.buttons}>
      <Button
        variant="secondary"
        aria-label={t('desk.setUp.resetOf', { name })}
        onClick={() => onChange({ change: 'reset', colleague })}
      >
        {t('desk.setUp.reset')}
      </Button>
      <Button
        variant="secondary"
        aria-label={t('desk.setUp.closeOf', { name })}
        onClick={() => onChange({ change: 'close', colleague })}
      >
        {t('desk.setUp.close')}
      </Button>
    </div>
  );
}

const WORDS = {
  reset: {
    call: 'deskResetFactor',
    title: 'desk.setUp.resetTitle',
    about: 'desk.setUp.resetAbout',
    button: 'desk.setUp.reset',
    busy: 'desk.setUp.resetting',
    done: 'desk.setUp.isReset',
  },
  close: {
    call: 'deskCloseStaff',
    title: 'desk.setUp.closeTitle',
    about: 'desk.setUp.closeAbout',
    button: 'desk.setUp.close',
    busy: 'desk.setUp.closing',
    done: 'desk.setUp.isClosed',
  },
} as const;

interface ChangeDialogProps extends Changing {
  onClose: () => void;
  onDone: (says: string) => void;
}

function ChangeDialog({ change, colleague, onClose, onDone }: ChangeDialogProps) {
  const queries = useQueryClient();
  const words = WORDS[change];
  const { id, name } = colleague;
  const act = useMutation({
    mutationFn: () => ask(words.call, { params: { id }, body: {} }),
    onSuccess: () => onDone(t(words.done, { name })),
    onSettled: () => queries.invalidateQueries({ queryKey: staffQuery.queryKey }),
  });
  return (
    <Dialog
      title={t(words.title, { name })}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="danger"
            busy={act.isPending}
            busyLabel={t(words.busy)}
            onClick={() => act.mutate()}
          >
            {t(words.button)}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t('desk.setUp.leave')}
          </Button>
        </>
      }
    >
      <p>{t(words.about, { name })}</p>
      <ActionOutcome press={act.submittedAt}>{act.error?.message}</ActionOutcome>
    </Dialog>
  );
}

interface InviteProps extends Pick<ApiSetUp, 'providers'> {
  onInvited: (says: string) => void;
}

const NOBODY = { name: '', email: '', providerId: '', roles: [] as readonly StaffRole[] };

function Invite({ providers, onInvited }: InviteProps) {
  const queries = useQueryClient();
  const [invited, setInvited] = useState(NOBODY);
  const [lacksRoles, setLacksRoles] = useState(false);
  const { name, email, providerId, roles } = invited;
  const isClinician = roles.includes('clinician');
  const invite = useMutation({
    mutationFn: () =>
      ask('deskInvite', {
        body: { name, email, roles: [...roles], providerId: isClinician ? providerId : null },
      }),
    onSuccess: () => {
      onInvited(t('desk.setUp.invited', { name, email }));
      setInvited(NOBODY);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: staffQuery.queryKey }),
  });
  const toggle = (role: StaffRole) =>
    setInvited({
      ...invited,
      roles: roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role],
    });
  return (
    <section className={styles.section}>
      <h2>{t('desk.setUp.invite')}</h2>
      <p className={styles.about}>{t('desk.setUp.inviteAbout')}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setLacksRoles(roles.length === 0);
          if (roles.length > 0 && !invite.isPending) invite.mutate();
        }}
      >
        <TextField
          label={t('desk.setUp.name')}
          required
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(next) => setInvited({ ...invited, name: next })}
        />
        <EmailField
          label={t('desk.email')}
          required
          name="colleague"
          autoComplete="off"
          value={email}
          onChange={(next) => setInvited({ ...invited, email: next })}
        />
        <CheckboxGroup
          label={t('desk.setUp.roles')}
          error={lacksRoles && roles.length === 0 ? t('desk.setUp.rolesMissing') : null}
          options={STAFF_ROLES.map((role) => ({
            value: role,
            label: t(`desk.setUp.role.${role}`),
          }))}
          values={roles}
          onToggle={toggle}
        />
        {isClinician && (
          <SelectField
            label={t('desk.setUp.whichProvider')}
            placeholder={t('desk.setUp.providerChoose')}
            required
            options={providers.map((provider) => ({ value: provider.id, label: provider.name }))}
            value={providerId}
            onChange={(next) => setInvited({ ...invited, providerId: next })}
          />
        )}
        <ActionOutcome press={invite.submittedAt}>{invite.error?.message}</ActionOutcome>
        <div>
          <Button type="submit" busy={invite.isPending} busyLabel={t('desk.setUp.inviting')}>
            {t('desk.setUp.invite')}
          </Button>
        </div>
      </form>
    </section>
  );
}
