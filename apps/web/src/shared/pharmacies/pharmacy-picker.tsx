import { focusByPress } from '@clinic/ui/focus';
import { useQuery } from '@tanstack/react-query';
import { MapPin } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { ApiPharmacy } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { Field } from '@clinic/ui/field';
import input from '@clinic/ui/input.module.css';
import { FailedState } from '@clinic/ui/page-states';
import { t } from '../../messages/t.ts';
import { pharmaciesQuery } from './pharmacies-query.ts';
import styles from './pharmacy-picker.module.css';
import './pharmacy-words.ts';

interface PharmacyPickerProps {
  /** Id of the input, for labels and error summaries. */
  id?: string;
  label: string;
  /** The chosen pharmacy's id. */
  value: string | null;
  onChange: (pharmacy: string | null) => void;
  error?: string | null;
  optional?: boolean;
}

const MOST_SHOWN = 8;

/** Searches for the preferred pharmacy from three typed characters on. */
export function PharmacyPicker({
  id,
  label,
  value,
  onChange,
  error,
  optional = false,
}: PharmacyPickerProps) {
  const { data, isError, isFetching, refetch } = useQuery(pharmaciesQuery);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const box = useRef<HTMLInputElement>(null);

  const chosen = data?.find((one) => one.id === value) ?? null;
  const searching = open && isSearch(typed);
  const found = searching && data ? findPharmacies(data, typed) : [];
  const shown = found.slice(0, MOST_SHOWN);

  const pointAt = (index: number) => {
    setActive(index);
    document.getElementById(`${listId}-${index}`)?.scrollIntoView?.({ block: 'nearest' });
  };
  const search = (text: string) => {
    setTyped(text);
    setOpen(true);
    pointAt(0);
  };
  const choose = (pharmacy: ApiPharmacy) => {
    onChange(pharmacy.id);
    setTyped('');
    setOpen(false);
  };
  const clear = () => {
    onChange(null);
    focusByPress(box.current);
  };
  const press = (event: KeyboardEvent) => {
    if (!searching) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const pharmacy = shown[active];
    if (step !== 0 && shown.length > 0) pointAt((active + step + shown.length) % shown.length);
    else if (event.key === 'Enter') {
      if (pharmacy) choose(pharmacy);
    } else if (event.key === 'Escape') setOpen(false);
    else return;
    // During a search, Escape closes only the list, not a dialog around it, and Enter does not
    // submit the form, even before the pharmacies have loaded.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={styles.picker}>
      <Field
        id={id}
        label={label}
        optional={optional}
        error={error}
        hint={t('pharmacies.hint')}
        footer={{
          id: `${listId}-found`,
          content: (
            <span role="status">
              {searching && !data && !isError && t('pharmacies.loading')}
              {searching && data && foundWords(found.length)}
            </span>
          ),
        }}
      >
        {(wiring) => (
          <input
            {...wiring}
            ref={box}
            className={input.input}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown.length > 0}
            aria-controls={listId}
            aria-activedescendant={shown.length > 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            value={typed}
            onChange={(event) => search(event.target.value)}
            onKeyDown={press}
            onBlur={() => setOpen(false)}
            onFocus={() => setOpen(true)}
          />
        )}
      </Field>
      <ul
        id={listId}
        className={styles.list}
        role="listbox"
        aria-label={t('pharmacies.list')}
        hidden={shown.length === 0}
      >
        {shown.map((pharmacy, index) => (
          <li
            key={pharmacy.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classNames(styles.option, index === active && styles.active)}
            // Keeps the focus in the input: on blur the list would close before the click.
            onMouseDown={(event) => event.preventDefault()}
            onKeyDown={press}
            onClick={() => choose(pharmacy)}
          >
            <PharmacyWords pharmacy={pharmacy} />
          </li>
        ))}
      </ul>
      {isError && (
        <FailedState busy={isFetching} onRetry={() => void refetch()}>
          {t('pharmacies.failed')}
        </FailedState>
      )}
      {chosen && (
        <div className={styles.chosen} role="group" aria-label={t('pharmacies.chosen')}>
          <MapPin size={22} aria-hidden="true" />
          <PharmacyWords pharmacy={chosen} />
          <Button variant="quiet" onClick={clear}>
            {t('pharmacies.clear')}
          </Button>
        </div>
      )}
    </div>
  );
}

function foundWords(count: number): string {
  return count > MOST_SHOWN
    ? t('pharmacies.more', { shown: MOST_SHOWN, count })
    : t('pharmacies.found', { count });
}

function PharmacyWords({ pharmacy: { name, address, phone1 } }: { pharmacy: ApiPharmacy }) {
  return (
    <span className={styles.words}>
      <span className={styles.name}>{name}</span>
      <span className={styles.address}>{address.address}</span>
      <span className={styles.address}>{t('pharmacies.phone', { phone: phone1 })}</span>
    </span>
  );
}

/** Number of typed characters at which the search begins. */
const SEARCH_MINIMUM = 3;

/** The pharmacies that match every typed word or the typed phone digits, sorted by name. */
function findPharmacies(pharmacies: readonly ApiPharmacy[], typed: string): readonly ApiPharmacy[] {
  const words = plain(typed).split(' ').filter(Boolean);
  const digits = typed.replace(/[\s()+.-]/g, '');
  const isNumber = /^\d{3,}$/.test(digits);
  return pharmacies
    .filter(({ name, address, phone1 }) => {
      if (isNumber && phone1.replace(/\D/g, '').includes(digits)) return true;
      const text = plain(`${name} ${address.address}`);
      return words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** True when enough was typed for a search. */
function isSearch(typed: string): boolean {
  return Array.from(typed.trim()).length >= SEARCH_MINIMUM;
}

/** Lower case without accents, with single spaces, so that 'st andre' finds 'St. André'. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}.,'’-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
