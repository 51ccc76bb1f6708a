import type { ApiSavedReply } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, openDesk, refused } from '../../testing/desk.tsx';
import { ID, inbox } from '../../testing/records.ts';

const hours: ApiSavedReply = {
  id: ID,
  name: 'Hours',
  text: 'We open at nine.',
  version: 'first',
  formVersion: 'form 1',
};

/** An open message, with these saved replies; a reply that is kept or deleted is so from then on. */
function openReplies(first: readonly ApiSavedReply[], handlers: Handlers = {}) {
  let replies = [...first];
  const desk = openDesk(`/messages?message=${ID}`, {
    ...inbox,
    deskSavedReplies: () => ({ replies }),
    deskKeepReply: ({ params, body }) => {
      const { id = '' } = params;
      const kept = { ...hours, ...(body as object), id };
      replies = [...replies.filter((each) => each.id !== id), kept];
    },
    deskDropReply: ({ params }) => {
      replies = replies.filter((each) => each.id !== params.id);
    },
    ...handlers,
  });
  const press = async (name: string) =>
    desk.user.click(await screen.findByRole('button', { name }));
  const set = (next: readonly ApiSavedReply[]) => {
    replies = [...next];
  };
  return { ...desk, press, set };
}
type Opened = ReturnType<typeof openReplies>;

const answer = () => screen.getByLabelText<HTMLTextAreaElement>('Your answer');
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Text');
const write = async ({ user }: Opened, words: string) => {
  await user.clear(await screen.findByLabelText('Text'));
  await user.type(text(), words);
};

// Shows: S-18
describe('A saved reply', () => {
  test('is put into the answer, after what is written there already', async () => {
    const { user, press } = openReplies([hours]);
    const insert = async () => {
      await user.selectOptions(await screen.findByLabelText('Saved reply'), 'Hours');
      await press('Put into the answer');
    };
    await insert();
    expect(answer().value).toBe('We open at nine.');
    expect(document.activeElement).toBe(answer());
    await user.clear(answer());
    await user.type(answer(), 'Good morning.');
    await insert();
    expect(answer().value).toBe('Good morning.\n\nWe open at nine.');
  });

  test('cannot be put into the answer before one is chosen', async () => {
    openReplies([hours]);
    const insert = await screen.findByRole('button', { name: 'Put into the answer' });
    expect(insert.hasAttribute('disabled')).toBe(true);
  });

  test('is written where there is none yet, and is offered then', async () => {
    const desk = openReplies([]);
    await desk.press('Edit saved replies');
    await screen.findByText('There is none yet.');
    expect(screen.queryByLabelText('Saved reply')).toBeNull();
    await desk.press('New reply');
    await desk.user.type(screen.getByLabelText('Name'), 'Fees');
    await write(desk, 'Thirty dollars.');
    await desk.press('Save reply');
    await screen.findByText('Saved.');
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByText('Thirty dollars.');
    expect(desk.sent('deskKeepReply')).toEqual([{ name: 'Fees', text: 'Thirty dollars.' }]);
  });

  test.each([
    ['Name', { name: '', text: 'Words' }],
    ['Text', { name: 'Fees', text: '' }],
  ])(
    'without a %s is not sent, which is said at that field',
    async (label, { name, text: words }) => {
      const desk = openReplies([]);
      await desk.press('Edit saved replies');
      await desk.press('New reply');
      if (name) await desk.user.type(screen.getByLabelText('Name'), name);
      if (words) await desk.user.type(text(), words);
      await desk.press('Save reply');
      await screen.findByRole('link', { name: 'Please give it a name and a text.' });
      expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
      expect(desk.sent('deskKeepReply')).toEqual([]);
    },
  );

  test('whose saving has no answer is not known to be saved, and what is typed stays', async () => {
    let asked = 0;
    const desk = openReplies([hours], {
      deskKeepReply: () => {
        asked += 1;
        if (asked === 1) throw new Error('No answer');
      },
    });
    await desk.press('Edit saved replies');
    await desk.press('Change Hours');
    await write(desk, 'We open at ten.');
    await desk.press('Save reply');
    await screen.findByText(/not known whether this is done/);
    expect(screen.queryByText('Saved.')).toBeNull();
    expect(text().value).toBe('We open at ten.');
    await desk.press('Save reply');
    await screen.findByText('Saved.');
  });

  test('that a colleague changed meanwhile shows theirs, and is saved once it is chosen', async () => {
    const desk = openReplies([hours], {
      deskKeepReply: () => {
        desk.set([{ ...hours, text: 'We open at eight.', version: '2', formVersion: 'form 2' }]);
        return refused('changedMeanwhile', 'A colleague was first.');
      },
    });
    await desk.press('Edit saved replies');
    await desk.press('Change Hours');
    await write(desk, 'We open at ten.');
    await desk.press('Save reply');
    await screen.findByText('A colleague was first.');
    await screen.findByText('We open at eight.');
    expect(text().value).toBe('We open at ten.');
    await desk.press('Save reply');
    expect(desk.sent('deskKeepReply')).toHaveLength(1);
    await desk.press('Use what is saved');
    expect(text().value).toBe('We open at eight.');
  });

  test('that a colleague deleted meanwhile is said to be gone, and is kept anew once that is seen', async () => {
    let asked = 0;
    const desk = openReplies([hours], {
      deskKeepReply: () => {
        asked += 1;
        if (asked > 1) return undefined;
        desk.set([]);
        return refused('changedMeanwhile', 'A colleague was first.');
      },
    });
    await desk.press('Edit saved replies');
    await desk.press('Change Hours');
    await write(desk, 'We open at ten.');
    await desk.press('Save reply');
    await screen.findByText('Nothing: it was deleted.');
    expect(text().value).toBe('We open at ten.');
    await desk.press('Save reply');
    await screen.findByText('Saved.');
  });

  test('is deleted, and one that is refused stays', async () => {
    let isRefused = true;
    const desk = openReplies([hours], {
      deskDropReply: () => {
        if (isRefused) return refused('changedMeanwhile', 'A colleague was first.');
        desk.set([]);
        return undefined;
      },
    });
    await desk.press('Edit saved replies');
    await desk.press('Delete Hours');
    await screen.findByText('A colleague was first.');
    screen.getByRole('button', { name: 'Delete Hours' });
    isRefused = false;
    await desk.press('Delete Hours');
    await screen.findByText('Deleted.');
    screen.getByText('There is none yet.');
    expect(desk.sent('deskDropReply')).toEqual([{ seen: 'first' }, { seen: 'first' }]);
  });

  test('is left unsaved by the way back to the list', async () => {
    const desk = openReplies([hours]);
    await desk.press('Edit saved replies');
    await desk.press('Change Hours');
    await write(desk, 'Other words.');
    await desk.press('Back to the list');
    screen.getByText('We open at nine.');
    expect(screen.queryByText('Other words.')).toBeNull();
    expect(desk.sent('deskKeepReply')).toEqual([]);
    await desk.press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
