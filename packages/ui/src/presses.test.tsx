import { act, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { RadioCards } from './radio-cards.tsx';
import { renderControls } from './testing/render.tsx';
import { TextArea } from './text-area.tsx';
import { TextField } from './text-field.tsx';

let done: string[] = [];
const does = (what: string) => () => void done.push(what);
beforeEach(() => (done = []));

/** In event time, after all that has happened to the page. */
const eventNow = () => new Event('now').timeStamp;
const late = () => eventNow() + 1_000;

/** Repaints, and says between which instants of event time: what changed settles 150 ms after one of them. */
async function repaint(paint: () => void): Promise<{ from: number; to: number }> {
  const from = eventNow();
  act(paint);
  await act(async () => {});
  return { from, to: eventNow() };
}

/** Sends an event as a browser does, at that instant; false where the page kept it from the browser. */
function send(target: EventTarget, event: Event, at: number): boolean {
  Object.defineProperty(event, 'timeStamp', { value: at });
  let isAllowed = true;
  act(() => {
    isAllowed = target.dispatchEvent(event);
  });
  return isAllowed;
}

const bubbles = { bubbles: true, cancelable: true, composed: true };
const mouse = (type: string, { button = 0, detail = 1, x = 100, y = 100 } = {}) =>
  new MouseEvent(type, { ...bubbles, button, detail, clientX: x, clientY: y });
const pointer = (type: string, pointerType = 'mouse', button = 0) =>
  new PointerEvent(type, { ...bubbles, button, pointerType, clientX: 100, clientY: 100 });

interface Hand {
  at?: number;
  button?: number;
  detail?: number;
  pointerType?: string;
}

function down(target: Element, { at = late(), button = 0, pointerType = 'mouse' }: Hand = {}) {
  send(target, pointer('pointerdown', pointerType, button), at);
  if (pointerType === 'mouse') send(target, mouse('mousedown', { button }), at);
}

function up(
  target: Element,
  { at = late(), button = 0, detail = 1, pointerType = 'mouse' }: Hand = {},
) {
  send(target, pointer('pointerup', pointerType, button), at);
  if (pointerType === 'touch') send(target, mouse('mousedown'), at);
  send(target, mouse('mouseup', { button }), at);
  send(target, mouse(button === 0 ? 'click' : 'auxclick', { button, detail }), at);
}

function press(target: Element, hand: Hand = {}) {
  down(target, hand);
  up(target, hand);
}

const clickByKey = (target: Element, at: number) => send(target, mouse('click', { detail: 0 }), at);

/** What a browser makes of Enter. */
function enter(target: Element, { at = late(), repeat = false, ctrlKey = false } = {}) {
  if (
    !send(target, new KeyboardEvent('keydown', { ...bubbles, key: 'Enter', repeat, ctrlKey }), at)
  )
    return;
  if (target.matches('button,a,summary')) clickByKey(target, at);
  else if (target instanceof HTMLInputElement) {
    const button = target.form?.querySelector('[type=submit]');
    if (button) clickByKey(button, at);
    else target.form?.requestSubmit();
  }
}

const liftEnter = (target: Element) =>
  send(target, new KeyboardEvent('keyup', { ...bubbles, key: 'Enter' }), late());

/** Space clicks when it is lifted, in Firefox also where the page kept it from the browser. */
function space(target: Element, { at = late(), lifted = target, held = 0 } = {}) {
  for (let repeats = 0; repeats <= held; repeats++)
    send(target, new KeyboardEvent('keydown', { ...bubbles, key: ' ', repeat: repeats > 0 }), at);
  send(lifted, new KeyboardEvent('keyup', { ...bubbles, key: ' ' }), at);
  clickByKey(lifted, at);
}

/** A screen reader, voice control or a script. */
const clickAlone = (target: Element) => act(() => (target as HTMLElement).click());

const button = (name: string) => screen.getByRole('button', { name });

function Controls() {
  const [isChecked, setChecked] = useState(false);
  return (
    <>
      <Button onClick={does('Button')}>Button</Button>
      <button onClick={does('raw')}>raw</button>
      <a
        href="#there"
        onClick={(event) => {
          event.preventDefault();
          done.push('link');
        }}
      >
        link
      </a>
      <Checkbox
        label="checkbox"
        checked={isChecked}
        onChange={(next) => {
          setChecked(next);
          done.push('checkbox');
        }}
      />
      <RadioCards
        label="Kind"
        value={null}
        onChange={does('radio')}
        options={[{ value: 'radio', label: 'radio' }]}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done.push('send');
        }}
      >
        <TextField label="Name" value="" onChange={() => {}} />
        <Button type="submit">send</Button>
      </form>
      <p>Nothing</p>
    </>
  );
}

const named: Record<string, () => HTMLElement> = {
  Button: () => button('Button'),
  raw: () => button('raw'),
  link: () => screen.getByRole('link', { name: 'link' }),
  checkbox: () => screen.getByRole('checkbox'),
  radio: () => screen.getByRole('radio'),
  send: () => button('send'),
};
const nothing = () => screen.getByText('Nothing');

const acting: [string, (control: HTMLElement) => void][] = [
  ['the main button', (control) => press(control)],
  ['a finger', (control) => press(control, { pointerType: 'touch' })],
  ['Space', (control) => space(control)],
  ['a held Space', (control) => space(control, { held: 9 })],
  ['a click without pointer or key', (control) => clickAlone(control)],
  [
    'a click without pointer or key after a press of something else',
    (control) => {
      press(nothing());
      enter(screen.getByLabelText('Name'), { repeat: true });
      clickAlone(control);
    },
  ],
  [
    'the mouse events of a screen reader',
    (control) => {
      send(control, mouse('mousedown'), late());
      send(control, mouse('mouseup'), late());
      send(control, mouse('click'), late());
    },
  ],
  [
    'a press during which the page was painted anew',
    (control) => {
      down(control);
      act(() => nothing().append('!'));
      up(control);
    },
  ],
  [
    'a press from under which the control moved',
    (control) => {
      down(control);
      up(nothing());
    },
  ],
];

const idle: [string, (control: HTMLElement) => void][] = [
  ['the right button', (control) => press(control, { button: 2 })],
  ['the middle button', (control) => press(control, { button: 1 })],
  [
    'a press that began elsewhere',
    (control) => {
      down(nothing());
      up(control);
    },
  ],
  [
    'a press that began on another control',
    (control) => {
      down(screen.getByLabelText('Name'));
      up(control);
    },
  ],
  [
    'a press that ended elsewhere',
    (control) => {
      down(control);
      send(nothing(), mouse('mouseup', { x: 300 }), late());
      send(document.body, mouse('click', { x: 300 }), late());
    },
  ],
  [
    'a pointer that was cancelled',
    (control) => {
      down(control, { pointerType: 'touch' });
      send(control, pointer('pointercancel', 'touch'), late());
      send(control, mouse('click'), late());
    },
  ],
  ['a Space that began elsewhere', (control) => space(nothing(), { lifted: control })],
  [
    'a Space that began on another control',
    (control) => space(button('other'), { lifted: control }),
  ],
  [
    'a held Space that came from elsewhere',
    (control) => {
      send(button('other'), new KeyboardEvent('keydown', { ...bubbles, key: ' ' }), late());
      send(control, new KeyboardEvent('keydown', { ...bubbles, key: ' ', repeat: true }), late());
      send(control, new KeyboardEvent('keyup', { ...bubbles, key: ' ' }), late());
      clickByKey(control, late());
    },
  ],
  ['a repeated Enter', (control) => enter(control, { repeat: true })],
];

describe.each(Object.entries(named))('%s', (name, control) => {
  const render = () =>
    renderControls(
      <>
        <Controls />
        <button>other</button>
      </>,
    );

  test.each(acting)('%s presses it once', async (_, hand) => {
    render();
    hand(control());
    await act(async () => {});
    expect(done).toEqual([name]);
  });

  test.each(idle)('%s does not press it', async (_, hand) => {
    render();
    hand(control());
    await act(async () => {});
    expect(done).toEqual([]);
  });
});

describe('Enter', () => {
  test.each(['Button', 'raw', 'link', 'send'])(
    'presses %s once, however long it is held',
    (name) => {
      renderControls(<Controls />);
      const control = named[name]?.() ?? nothing();
      enter(control);
      for (let repeats = 0; repeats < 9; repeats++) enter(control, { repeat: true });
      expect(done).toEqual([name]);
    },
  );

  test('in a field presses the button of its form once, however long it is held', () => {
    renderControls(<Controls />);
    const field = screen.getByLabelText('Name');
    enter(field);
    for (let repeats = 0; repeats < 9; repeats++) enter(field, { repeat: true });
    expect(done).toEqual(['send']);
    liftEnter(field);
    enter(field, { at: late() + 500 });
    expect(done).toEqual(['send', 'send']);
  });

  test('that is held while a dialog opens does not press its button', async () => {
    const Host = () => {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <Button onClick={() => setOpen(true)}>Open</Button>
          {isOpen && (
            <Dialog title="Sure?" actions={<Button onClick={does('yes')}>Yes</Button>}>
              Really?
            </Dialog>
          )}
        </>
      );
    };
    renderControls(<Host />);
    enter(button('Open'));
    for (let repeats = 0; repeats < 9; repeats++) enter(button('Yes'), { repeat: true });
    liftEnter(button('Yes'));
    expect(done).toEqual([]);
    enter(button('Yes'));
    expect(done).toEqual(['yes']);
  });

  test('with Ctrl in a text acts once, and alone begins lines as long as it is held', () => {
    const keys: string[] = [];
    renderControls(
      <div onKeyDown={({ ctrlKey }) => keys.push(ctrlKey ? 'sends' : 'line')}>
        <TextArea label="Text" value="" onChange={() => {}} />
      </div>,
    );
    const text = screen.getByLabelText('Text');
    enter(text, { ctrlKey: true });
    enter(text, { ctrlKey: true, repeat: true });
    enter(text);
    enter(text, { repeat: true });
    expect(keys).toEqual(['sends', 'line', 'line']);
  });
});

test('arrows, Backspace and typing repeat as ever, other keys do not', () => {
  const keys: string[] = [];
  renderControls(
    <div onKeyDown={({ key }) => keys.push(key)}>
      <TextField label="Name" value="" onChange={() => {}} />
      <button>entry</button>
    </div>,
  );
  const hold = (target: Element, key: string, init: KeyboardEventInit = {}) =>
    send(target, new KeyboardEvent('keydown', { ...bubbles, ...init, key, repeat: true }), late());
  for (const key of ['ArrowDown', 'Backspace', 'Tab', 'PageUp', 'a', ' '])
    hold(screen.getByLabelText('Name'), key);
  expect(keys.splice(0)).toEqual(['ArrowDown', 'Backspace', 'Tab', 'PageUp', 'a', ' ']);
  hold(button('entry'), 'ArrowDown');
  for (const key of ['a', ' ', 'Enter', 'Escape']) hold(button('entry'), key);
  expect(keys.splice(0)).toEqual(['ArrowDown']);
});

test('a key that the page keeps from the browser is kept as long as it is held', () => {
  renderControls(
    <div onKeyDown={(event) => event.preventDefault()}>
      <button>entry</button>
    </div>,
  );
  const down = (key: string, repeat: boolean) =>
    send(
      button('entry'),
      new KeyboardEvent('keydown', { ...bubbles, key, ctrlKey: true, repeat }),
      late(),
    );
  expect([down('k', false), down('k', true)]).toEqual([false, false]);
});

describe('what a control acts on', () => {
  const Host = ({
    person,
    note,
    children,
  }: {
    person: string;
    note?: string;
    children?: ReactNode;
  }) => (
    <>
      <Button actsOn={person} onClick={does(person)}>
        Book
      </Button>
      <section data-acts-on={person}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            done.push(person);
          }}
        >
          <TextField label="Reason" value="" onChange={() => {}} />
          <Button type="submit">Cancel</Button>
        </form>
      </section>
      <p>{note}</p>
      {children}
    </>
  );
  const ways: [string, (at: number) => void][] = [
    ['the main button', (at) => press(button('Book'), { at })],
    ['a finger', (at) => press(button('Book'), { at, pointerType: 'touch' })],
    ['Enter', (at) => enter(button('Book'), { at })],
    ['Space', (at) => space(button('Book'), { at })],
    ['the button of a form', (at) => press(button('Cancel'), { at })],
    ['Enter in a field', (at) => enter(screen.getByLabelText('Reason'), { at })],
  ];
  test.each(ways)(
    '%s too soon after it changed is dropped, and acts afterwards',
    async (_, hand) => {
      const { rerender } = renderControls(<Host person="Casey" />);
      const { from, to } = await repaint(() => rerender(<Host person="Robin" />));
      hand(from - 20);
      hand(from + 149);
      expect(done).toEqual([]);
      hand(to + 151);
      expect(done).toEqual(['Robin']);
    },
  );

  test.each(ways)('%s too soon after it appeared is dropped', async (_, hand) => {
    const { rerender } = renderControls(<p>Nobody</p>);
    const { from, to } = await repaint(() => rerender(<Host person="Casey" />));
    hand(from + 149);
    expect(done).toEqual([]);
    hand(to + 151);
    expect(done).toEqual(['Casey']);
  });

  test.each(ways)('%s acts right after anything else was painted anew', async (_, hand) => {
    const { rerender } = renderControls(<Host person="Casey" />);
    await repaint(() => {});
    const { from } = await repaint(() =>
      rerender(
        <Host person="Casey" note="3 waiting">
          <Notice>News</Notice>
        </Host>,
      ),
    );
    hand(from + 1_000);
    expect(done).toEqual(['Casey']);
  });

  test('a press on what changed while it was held is dropped', async () => {
    const { rerender } = renderControls(<Host person="Casey" />);
    down(button('Book'), { at: eventNow() });
    await repaint(() => rerender(<Host person="Robin" />));
    up(button('Book'), { at: eventNow() });
    expect(done).toEqual([]);
  });

  const List = ({ version, person = 'Casey' }: { version: number; person?: string }) => (
    <section key={version} data-acts-on={person}>
      <h2>Appointment</h2>
      <Button onClick={does(person)}>Arrived</Button>
    </section>
  );

  test('a control that was made anew with the same meaning acts at once', async () => {
    const { rerender } = renderControls(<List version={1} />);
    await act(async () => {});
    const begun = eventNow();
    const { from } = await repaint(() => rerender(<List version={2} />));
    press(button('Arrived'), { at: begun + 151 });
    expect(begun + 151 < from + 150 || done.length === 1).toBe(true);
    expect(done).toEqual(['Casey']);
    const other = await repaint(() => rerender(<List version={3} person="Robin" />));
    press(button('Arrived'), { at: other.from + 149 });
    expect(done).toEqual(['Casey']);
  });

  test('a press during which its control was made anew with the same meaning acts once', async () => {
    const { rerender } = renderControls(<List version={1} />);
    const at = late();
    down(button('Arrived'), { at });
    await repaint(() => rerender(<List version={2} />));
    const { parentElement } = button('Arrived');
    send(button('Arrived'), mouse('mouseup'), at);
    // Browsers click what both had around them.
    send(parentElement ?? document.body, mouse('click'), at);
    await act(async () => {});
    expect(done).toEqual(['Casey']);
  });

  test('a press during which its control became another’s is dropped', async () => {
    const { rerender } = renderControls(<List version={1} />);
    down(button('Arrived'), { at: eventNow() });
    await repaint(() => rerender(<List version={2} person="Robin" />));
    up(button('Arrived'), { at: eventNow() });
    await act(async () => {});
    expect(done).toEqual([]);
  });
});

test('a cell that is drawn on takes no press that comes too soon', async () => {
  const Grid = () => (
    <table role="grid">
      <tbody>
        <tr>
          <td aria-label="09:00" onPointerDown={does('draw')} />
        </tr>
      </tbody>
    </table>
  );
  const { rerender } = renderControls(<p>Nothing</p>);
  const { from } = await repaint(() => rerender(<Grid />));
  const cell = screen.getByLabelText('09:00');
  press(cell, { at: from + 149, detail: 2 });
  expect(done).toEqual([]);
  press(cell);
  expect(done).toEqual(['draw']);
});

describe('a double press', () => {
  const Twice = () => (
    <>
      <Button actsOn="Casey" onClick={does('book')}>
        Book
      </Button>
      <Button onClick={does('turn')}>Turn</Button>
    </>
  );

  test('acts once on what names its subject', () => {
    renderControls(<Twice />);
    press(button('Book'));
    press(button('Book'), { detail: 2 });
    expect(done).toEqual(['book']);
    press(button('Book'));
    expect(done).toEqual(['book', 'book']);
  });

  test('of a key acts once on what names its subject', () => {
    renderControls(<Twice />);
    const at = late();
    for (const after of [0, 60, 800]) {
      enter(button('Book'), { at: at + after });
      liftEnter(button('Book'));
    }
    expect(done).toEqual(['book', 'book']);
  });

  test('acts once on what is made anew between its halves', () => {
    const Anew = () => {
      const [times, setTimes] = useState(0);
      const hold = () => (does('hold')(), setTimes(times + 1));
      return (
        <Button key={times} actsOn="13:20" onClick={hold}>
          13:20
        </Button>
      );
    };
    renderControls(<Anew />);
    press(button('13:20'));
    press(button('13:20'), { detail: 2 });
    expect(done).toEqual(['hold']);
    press(button('13:20'));
    expect(done).toEqual(['hold', 'hold']);
  });

  test('acts once on what moves from under its second half', async () => {
    renderControls(<Twice />);
    press(button('Book'));
    down(button('Book'));
    send(document.body, mouse('mouseup', { detail: 2 }), late());
    await act(async () => {});
    expect(done).toEqual(['book']);
  });

  test('whose first half came too soon acts by its second', async () => {
    const { rerender } = renderControls(<p>Nobody</p>);
    const { from, to } = await repaint(() => rerender(<Twice />));
    press(button('Book'), { at: from + 149 });
    press(button('Book'), { at: to + 151, detail: 2 });
    expect(done).toEqual(['book']);
  });

  test('acts on nothing that has moved beneath it since its first half', () => {
    renderControls(
      <>
        <Button onClick={does('move')}>Move</Button>
        <Button onClick={does('another')}>Another</Button>
      </>,
    );
    press(button('Move'));
    press(button('Another'), { detail: 2 });
    expect(done).toEqual(['move']);
    press(button('Another'));
    expect(done).toEqual(['move', 'another']);
  });

  test('whose first half came too soon acts on nothing else', async () => {
    const { rerender } = renderControls(<button onClick={does('another')}>Another</button>);
    await repaint(() => {});
    const { from } = await repaint(() =>
      rerender(
        <>
          <button onClick={does('another')}>Another</button>
          <Twice />
        </>,
      ),
    );
    press(button('Book'), { at: from + 149 });
    press(button('Another'), { at: from + 400, detail: 2 });
    expect(done).toEqual([]);
    press(button('Another'));
    expect(done).toEqual(['another']);
  });

  test('whose first half met no control acts on none that has moved beneath it', () => {
    renderControls(<Controls />);
    for (const met of [nothing(), screen.getByLabelText('Name')]) {
      press(met);
      press(button('raw'), { detail: 2 });
    }
    expect(done).toEqual([]);
    press(button('raw'));
    expect(done).toEqual(['raw']);
  });

  test('and a third with it act on nothing that its first half has shown', async () => {
    const Asks = () => {
      const [isAsked, setAsked] = useState(false);
      return isAsked ? (
        <Button key="yes" onClick={does('yes')}>
          Yes
        </Button>
      ) : (
        <Button key="ask" onClick={() => setAsked(true)}>
          Ask
        </Button>
      );
    };
    renderControls(<Asks />);
    press(button('Ask'), { at: eventNow() });
    const at = eventNow();
    press(button('Yes'), { at: at + 100, detail: 2 });
    press(button('Yes'), { at: at + 300, detail: 3 });
    expect(done).toEqual([]);
    press(button('Yes'), { at: at + 900 });
    expect(done).toEqual(['yes']);
  });

  test('acts on one subject, also where the same control names the next one by then', () => {
    const Queue = () => {
      const [number, setNumber] = useState(1);
      const call = () => (does(`call ${number}`)(), setNumber(number + 1));
      return (
        <Button actsOn={String(number)} onClick={call}>
          Call
        </Button>
      );
    };
    renderControls(<Queue />);
    press(button('Call'));
    press(button('Call'), { detail: 2 });
    expect(done).toEqual(['call 1']);
    press(button('Call'), { at: late() + 800 });
    expect(done).toEqual(['call 1', 'call 2']);
  });

  test('does not take back what its first half did', () => {
    const Toggle = () => {
      const [isClosed, setClosed] = useState(false);
      const name = isClosed ? 'Open again' : 'Close';
      return <Button onClick={() => (does(name)(), setClosed(!isClosed))}>{name}</Button>;
    };
    renderControls(<Toggle />);
    press(button('Close'));
    press(button('Open again'), { detail: 2 });
    expect(done).toEqual(['Close']);
    press(button('Open again'));
    expect(done).toEqual(['Close', 'Open again']);
    const at = late() + 800;
    enter(button('Close'), { at });
    liftEnter(button('Open again'));
    enter(button('Open again'), { at: at + 120 });
    liftEnter(button('Open again'));
    expect(done).toEqual(['Close', 'Open again', 'Close']);
    enter(button('Open again'), { at: at + 800 });
    expect(done).toEqual(['Close', 'Open again', 'Close', 'Open again']);
  });

  test('of a key acts on nothing that got the focus back in between', async () => {
    const Asks = () => {
      const [isAsked, setAsked] = useState(false);
      return (
        <>
          <Button onClick={() => (does('ask')(), setAsked(true))}>Ask</Button>
          {isAsked && (
            <Dialog
              title="Sure?"
              actions={<Button onClick={() => setAsked(false)}>Leave it</Button>}
            >
              Text
            </Dialog>
          )}
        </>
      );
    };
    renderControls(<Asks />);
    act(() => button('Ask').focus());
    enter(button('Ask'));
    liftEnter(button('Ask'));
    const before = eventNow();
    enter(button('Leave it'));
    expect(document.activeElement).toBe(button('Ask'));
    enter(button('Ask'), { at: before + 30 });
    expect(done).toEqual(['ask']);
    liftEnter(button('Ask'));
    enter(button('Ask'));
    expect(done).toEqual(['ask', 'ask']);
  });

  test('of a key acts on nothing that an answer or a press has given the focus', () => {
    renderControls(
      <>
        <Button onClick={() => (does('remove')(), button('Choose').focus())}>Remove</Button>
        <Button onClick={does('choose')}>Choose</Button>
      </>,
    );
    act(() => button('Remove').focus());
    const before = eventNow();
    enter(button('Remove'));
    expect(document.activeElement).toBe(button('Choose'));
    enter(button('Choose'), { at: before + 30 });
    expect(done).toEqual(['remove']);
    liftEnter(button('Choose'));
    // Where the hand itself leads the focus, a key acts at once.
    act(() => button('Remove').focus());
    send(button('Remove'), new KeyboardEvent('keydown', { ...bubbles, key: 'Tab' }), late());
    act(() => button('Choose').focus());
    enter(button('Choose'), { at: eventNow() + 30 });
    expect(done).toEqual(['remove', 'choose']);
  });

  test('turns pages twice', () => {
    renderControls(<Twice />);
    press(button('Turn'));
    press(button('Turn'), { detail: 2 });
    expect(done).toEqual(['turn', 'turn']);
  });
});

test('Enter does not send a form whose button is busy', () => {
  renderControls(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done.push('send');
      }}
    >
      <TextField label="Code" value="" onChange={() => {}} />
      <Button type="submit" busy>
        Send
      </Button>
    </form>,
  );
  enter(screen.getByLabelText('Code'));
  expect(done).toEqual([]);
});

test('an outcome takes the focus from the press that asked for it, and not from a later one', () => {
  const Host = ({ outcome }: { outcome: boolean }) => (
    <>
      <Button onClick={() => {}}>Save</Button>
      <TextField label="Name" value="" onChange={() => {}} />
      {outcome && (
        <Notice role="alert" kind="good">
          Saved
        </Notice>
      )}
    </>
  );
  const { rerender } = renderControls(<Host outcome={false} />);
  press(button('Save'));
  rerender(<Host outcome />);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  rerender(<Host outcome={false} />);
  press(button('Save'));
  const field = screen.getByLabelText('Name');
  press(field);
  act(() => field.focus());
  rerender(<Host outcome />);
  expect(document.activeElement).toBe(field);
});
