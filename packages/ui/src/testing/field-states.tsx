import { NO_DATE, type DateParts } from '@clinic/domain';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../button.tsx';
import { DateField } from '../date-field.tsx';
import { PasswordField } from '../password-field.tsx';
import { SelectField } from '../select-field.tsx';
import { TextArea } from '../text-area.tsx';
import { EmailField, TextField } from '../text-field.tsx';

const plus = <Plus size={20} aria-hidden="true" />;

export function Buttons() {
  return (
    <>
      <Button>Primary</Button>
      <Button variant="secondary">Secondary</Button>
      <Button variant="quiet">Quiet</Button>
      <Button variant="danger">Danger</Button>
      <Button icon={plus}>With an icon</Button>
      <Button wide>As wide as its parent</Button>
      <Button disabled>Disabled</Button>
      <Button variant="secondary" disabled>
        Disabled, secondary
      </Button>
      <Button busy busyLabel="Sending...">
        Send
      </Button>
      <Button variant="secondary" busy>
        Busy, secondary
      </Button>
    </>
  );
}

export function Fields() {
  const [text, setText] = useState('');
  const [date, setDate] = useState<DateParts>({ year: 2026, month: 11, day: 22 });
  const [secret, setSecret] = useState('correct horse');
  const field = { value: text, onChange: setText };
  return (
    <>
      <TextField label="Text" {...field} />
      <TextField label="With a hint" hint="As it stands on the card." {...field} />
      <TextField label="With an error" error="Enter your city." {...field} />
      <TextField label="That may stay empty" optional {...field} />
      <TextField label="Short" width="short" {...field} />
      <TextField label="With a placeholder" placeholder="For example: 1234" {...field} />
      <TextField label="Disabled" disabled {...field} />
      <TextField label="To read only" readOnly value="Vancouver" onChange={setText} />
      <EmailField label="Email" {...field} />
      <PasswordField label="Password" value={secret} onChange={setSecret} />
      <PasswordField label="Repeat password" error="Not alike." value="" onChange={setSecret} />
      <TextArea label="Long text" {...field} />
      <TextArea label="Counted" maxCharacters={80} {...field} />
      <TextArea label="Too long" maxCharacters={5} value="More than five" onChange={setText} />
      <DateField label="A date" value={date} onChange={setDate} />
      <DateField label="A date of few years" years={[2026, 2027]} value={date} onChange={setDate} />
      <DateField
        label="No date"
        error="This date does not exist."
        value={NO_DATE}
        onChange={setDate}
      />
      <SelectField
        label="One of a list"
        placeholder="Please choose"
        options={[
          { value: 'BC', label: 'British Columbia' },
          { value: 'AB', label: 'Alberta' },
        ]}
        {...field}
      />
    </>
  );
}
