import { later } from '@clinic/app/later';
import { patientPages } from '@clinic/domain';
import { useState, useId } from 'react';
import { Link, useSearchParams, type NavigateOptions } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import type { LegalKind } from '../features/legal/legal-text.ts';
import { t } from '../messages/t.ts';
import { clinicToday } from '../api/clinic-today.ts';
import { useConfig } from '../api/config.ts';
import { ofAllTabs } from '../api/storage.ts';
import { announce } from '../shared/shell/alerts.tsx';
import { ClinicLine } from '../shared/shell/clinic-contact.tsx';
import styles from './footer.module.css';

const LegalDialog = later(
  async () => (await import('../features/legal/legal-dialog.tsx')).LegalDialog,
);

const links = [
  { kind: 'terms', label: 'shell.terms' },
  { kind: 'privacy', label: 'shell.privacy' },
  { kind: 'fees', label: 'shell.fees' },
] as const;

/** Help with booking, the legal texts and the color theme. */
export function Footer() {
  const config = useConfig();
  const reading = useReading();
  // If the dialog's code cannot be loaded, the page stays as it is and the next press tries again.
  const show = (kind: LegalKind) =>
    void LegalDialog.bring().then(
      () => reading.open(kind),
      () => announce('error', t('ui.unreachable')),
    );
  return (
    <footer className={styles.footer}>
      <div className={styles.rows}>
        {config && <p>{helpWith(config.clinicEmail)}</p>}
        {config && <ClinicLine config={config} />}
        <div className={styles.row}>
          <p>
            {config &&
              t('shell.copyright', {
                year: clinicToday().slice(0, 4),
                clinic: config.clinicName,
              })}
          </p>
          <ul className={styles.links} aria-label={t('shell.footerLinks')}>
            {links.map(({ kind, label }) => (
              <li key={kind}>
                <button type="button" className={styles.link} onClick={() => show(kind)}>
                  {t(label)}
                </button>
              </li>
            ))}
            <li>
              <Link to={patientPages.walkIn} className={styles.link}>
                {t('shell.walkIn')}
              </Link>
            </li>
          </ul>
          <ThemeSwitch />
        </div>
      </div>
      {reading.kind !== null && (
        <LegalDialog kind={reading.kind} onSelect={reading.open} onClose={reading.close} />
      )}
    </footer>
  );
}

/**
 * The open legal text is in the query, so that the browser's Back closes it, a reload keeps it, and
 * any page can link to it with `?read=`.
 */
function useReading() {
  const [query] = useSearchParams();
  const state = useHistoryState<unknown>();
  const kind = links.find((link) => link.kind === query.get('read'))?.kind ?? null;
  /** The second of two presses comes before React has rendered what the first one opened. */
  const isOpen = () => new URLSearchParams(window.location.search).has('read');
  const below = typeof state === 'object' ? state : null;

  const go = (next: LegalKind | null, options: NavigateOptions) => {
    const search = new URLSearchParams(query);
    if (next === null) search.delete('read');
    else search.set('read', next);
    const { pathname, hash } = window.location;
    const asked = search.size === 0 ? '' : `?${search.toString()}`;
    navigate(pathname + asked + hash, options);
  };
  return {
    kind,
    open: (next: LegalKind) =>
      go(next, {
        replace: isOpen(),
        state: isOpen() ? (window.history.state as unknown) : { ...below, opened: true },
      }),
    close: () => {
      if (below !== null && 'opened' in below) window.history.back();
      else go(null, { replace: true, state });
    },
  };
}

/** The help sentence with the email address as a link. */
function helpWith(email: string) {
  const [before, after] = t('shell.footerHelp', { email }).split(email);
  return (
    <>
      {before}
      <a href={`mailto:${email}`} translate="no">
        {email}
      </a>
      {after}
    </>
  );
}

const themes = [
  { value: 'system', label: 'shell.themeSystem' },
  { value: 'light', label: 'shell.themeLight' },
  { value: 'dark', label: 'shell.themeDark' },
] as const;

/** Chooses the light, dark or system theme. */
function ThemeSwitch() {
  const id = useId();
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <div className={styles.theme}>
      <label htmlFor={id}>{t('shell.theme')}</label>
      <select
        id={id}
        className={styles.select}
        value={theme}
        onChange={(event) => {
          const next = themes.find(({ value }) => value === event.target.value)?.value ?? 'system';
          chooseTheme(next);
          setTheme(next);
        }}
      >
        {themes.map(({ value, label }) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </select>
    </div>
  );
}

type Theme = 'system' | 'light' | 'dark';

const KEY = 'clinic.theme';

/** The theme that the patient chose; public/theme.js applies it before the first paint. */
function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Without storage the theme lasts for this page only.
  ofAllTabs.write(KEY, theme === 'system' ? null : theme);
}
