import { useId, useState } from 'react';
import { t } from '../messages/t.ts';
import styles from './theme-switch.module.css';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: t('shell.themeSystem') },
  { value: 'light', label: t('shell.themeLight') },
  { value: 'dark', label: t('shell.themeDark') },
];

/** Light, dark, or as the device has it. */
export function ThemeSwitch() {
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
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
