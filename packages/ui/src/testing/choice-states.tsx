import { Phone, UserRound } from 'lucide-react';
import { useState } from 'react';
import { CheckboxGroup } from '../checkbox-group.tsx';
import { Checkbox } from '../checkbox.tsx';
import { DateCalendar } from '../date-calendar.tsx';
import { DayStrip } from '../day-strip.tsx';
import { RadioCards, RadioRows } from '../radio-cards.tsx';
import { StepList } from '../step-list.tsx';

const options = [
  {
    value: 'come',
    label: 'In person',
    description: 'Come to the clinic.',
    icon: <UserRound size={22} />,
    aside: 'CAD 10.00',
  },
  { value: 'call', label: 'By phone', description: 'We call you.', icon: <Phone size={22} /> },
  { value: 'none', label: 'Cannot be chosen', description: 'Not this week.', disabled: true },
] as const;
type Way = (typeof options)[number]['value'];

export function Choices() {
  const [way, setWay] = useState<Way | null>('come');
  const [agreed, setAgreed] = useState(false);
  const [parts, setParts] = useState<readonly string[]>(['left']);
  const radios = { options, value: way, onChange: setWay };
  const toggle = (part: string) =>
    setParts(parts.includes(part) ? parts.filter((one) => one !== part) : [...parts, part]);
  return (
    <>
      <RadioCards label="Cards" {...radios} />
      <RadioCards label="Cards with an error" error="Choose one." {...radios} value={null} />
      <RadioRows label="Rows" hint="For longer lists." {...radios} />
      <Checkbox label="I agree" checked={agreed} onChange={setAgreed} />
      <Checkbox label="Ticked" checked onChange={setAgreed} />
      <Checkbox label="With an error" checked={false} error="Please agree." onChange={setAgreed} />
      <CheckboxGroup
        label="Any number"
        options={[
          { value: 'left', label: 'Left' },
          { value: 'right', label: 'Right' },
        ]}
        values={parts}
        onToggle={toggle}
      />
    </>
  );
}

export function Dates() {
  const [date, setDate] = useState('2026-11-24');
  const [column, setColumn] = useState('1');
  return (
    <>
      <DateCalendar
        label="Day"
        value={date}
        min="2026-11-21"
        max="2027-02-19"
        today="2026-11-22"
        onChange={setDate}
      />
      <DayStrip
        label="Providers"
        selected={column}
        onSelect={setColumn}
        items={[
          { id: '1', label: 'J. Avery', detail: '31', more: 'times available' },
          { id: '2', label: 'A. Stone', detail: '8', more: 'times available' },
          { id: '3', label: 'M. Lake', detail: '0', more: 'times available', disabled: true },
        ]}
      />
      <StepList
        current="confirm"
        steps={[
          { id: 'type', label: 'Type' },
          { id: 'time', label: 'Time' },
          { id: 'confirm', label: 'Confirm' },
          { id: 'done', label: 'Done' },
        ]}
      />
    </>
  );
}
