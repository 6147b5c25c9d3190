// page.js: keys, and saving at every key. Everything works without it, as a form.

let form, screening, state, commandKeys, postId;

// --- keys: as the page has them, with what the coder changed ---

const KEY_NAMES = {ArrowRight: '→', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓'};

function showKeys() {
    commandKeys = new Map([...document.querySelectorAll('.keys kbd')]
        .map((kbd) => [kbd.dataset.command, kbd.dataset.key]));
    for (const kbd of document.querySelectorAll('kbd')) {
        const key = commandKeys.get(kbd.dataset.command) ?? kbd.textContent;
        kbd.textContent = KEY_NAMES[key] ?? key;
    }
}

function isWriting(target) {
    return target.closest?.('textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])');
}

function commandOf(event) {
    return [...commandKeys].find(([, key]) => key === event.key)?.[0];
}

function isBrowsers(event) {
    return event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
}

// --- saying ---

function say(text, kind) {
    state.textContent = text;
    state.className = kind;
}

// What the page did not do, until the next key that it takes.
function alertUser(text) {
    const box = document.getElementById('missed');
    if (box !== null)
        box.textContent = text;
}

// --- sending: one request after the other; what got no answer is sent again, as the same act ---

let waiting = 0;       // acts that are not acknowledged
let chain = Promise.resolve();
let refused = null;    // why an act was: those after it were made on what it would have left, and are not sent
let notTaken = [];     // these acts
let pages = 0;         // that were shown or asked for
let leaving = false;   // the page takes no keys for this post any more
let missed = [];       // those pressed meanwhile
const faults = new Map(); // typed values that were refused, by field

class Refusal extends Error {}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function sendOnce(path, body) {
    const answer = await fetch(path, {
        method: 'POST',
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify(body),
    });
    const said = await answer.json();
    return {code: answer.status, said};
}

const NO_SESSION = 'you have no session. Open your link again in this browser; this page then goes on';

async function untilAnswered(what, ask) {
    for (let wait = 250; ; wait = Math.min(2 * wait, 5000)) {
        const why = await ask().catch((error) => {
            if (error instanceof Refusal)
                throw error;
            return 'the server does not answer';
        });
        if (typeof why !== 'string')
            return why;
        say(`${what}: ${why}; trying again`, 'bad');
        await pause(wait);
    }
}

function send(path, body) {
    return untilAnswered('NOT SAVED yet', async () => {
        const {code, said} = await sendOnce(path, body);
        if (code === 401)
            return NO_SESSION;
        if (code === 502 || code === 503 || code === 504)
            return said.error;
        if (code >= 400)
            throw new Refusal(said.error);
        return said;
    });
}

function draw() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
}

// Each act is made on what the acts before it left. `what` names it to people; `field` is where it was typed.
function save(path, body, what, field = null) {
    const {on} = (form ?? screening).elements;
    waiting++;
    say('saving…', 'busy');
    const sent = chain.then(async () => {
        if (refused !== null)
            throw new Refusal(refused);
        const said = await send(path, {...body, state: on.value, act_id: draw()});
        on.value = said.state ?? on.value;
        return said;
    });
    chain = sent.then((said) => {
        waiting--;
        faults.delete(field);
        showProgress(said);
    }, (error) => {
        waiting--;
        if (field !== null && refused === null) {
            faults.set(field, `${what}: ${error.message}`);
        } else {
            refused = refused ?? error.message;
            notTaken.push(what);
        }
    }).then(showState);
    return sent;
}

function showState() {
    if (waiting > 0 || form === null && state === null)
        return;
    if (refused !== null) {
        const text = `Not taken: ${notTaken.join('; ')}. ${refused}`;
        refused = null;
        notTaken = [];
        goTo(form !== null ? `/code/${postId}?problem=${form.elements.problem.value}` : location.href, text);
    } else if (faults.size > 0) {
        say(`NOT SAVED: ${[...faults.values()][0]}`, 'bad');
    } else {
        const drafts = form === null ? [] : draftsElsewhere();
        if (form !== null && typedFields().length > 0)
            say('not saved yet', 'busy');
        else if (drafts.length > 0)
            say(`not saved yet: what you typed about ${drafts.join(', ')}`, 'busy');
        else
            say('all is saved', 'good');
    }
}

function showProgress(said) {
    const bar = form?.querySelector('progress');
    if (!bar || said.total === undefined)
        return;
    bar.max = Math.max(said.total, 1);
    bar.value = said.judged;
    bar.nextSibling.textContent = ` ${said.judged} of ${said.total}` + (said.posts_per_hour === null ? ''
        : `, ${Math.round(said.posts_per_hour)} an hour, ${said.hours_left.toFixed(1)} hours left`);
}

// --- going to another post: the page is changed in one step, so that every key has a page that knows it ---

// `news` is said there.
async function goTo(address, news = '') {
    pages++;
    leaving = true;
    (form ?? screening).inert = true;
    const {url, text} = await untilAnswered('The next post is not here', async () => {
        const answer = await fetch(address);
        const page = await answer.text();
        if (answer.status === 401)
            return NO_SESSION;
        return answer.status === 503 ? 'the database is busy' : {url: answer.url, text: page};
    });
    const next = new DOMParser().parseFromString(text, 'text/html');
    if (url !== location.href)
        history.pushState(null, '', url);
    document.title = next.title;
    document.body.replaceWith(next.body);
    faults.clear();
    begin();
    stay(news);
}

function stay(news = '') {
    leaving = false;
    if (form !== null)
        form.inert = false;
    alertUser(news + (missed.length > 0 ? ` Not taken, since the page was changing: ${missed.join(' ')}` : ''));
    missed = [];
}

function leave(address) {
    if (leaving)
        return;
    saveTexts();
    leaving = true;
    form.inert = true;
    afterAll(() => goTo(address));
}

// When all was saved; a refusal shows the post again, and a typed value that is refused stays here.
function afterAll(next) {
    const page = pages;
    chain.then(() => {
        if (faults.size > 0)
            stay();
        else if (pages === page)
            next();
    });
}

// --- what is typed: kept in the browser until the server has it ---

const TYPED = 'textarea, input[type=text]';

function draftsOf() {
    return `ppmine ${encodeURIComponent(document.querySelector('.who strong').textContent)}`;
}

function draftKey(field, of = form.elements.reason_for.value) {
    return `${draftsOf()} ${postId} ${form.elements.problem.value} ${field.name}${field.name === 'reason' ? ` ${of}` : ''}`;
}

function isTyped(field) {
    return (field.value.trim() !== '' || field.closest('.facet') !== null) &&
        field.value.trim() !== (field.dataset.saved ?? field.defaultValue.trim());
}

function typedFields() {
    return [...form.querySelectorAll(TYPED)].filter(isTyped);
}

function keepDraft(field) {
    if (isTyped(field))
        localStorage.setItem(draftKey(field), field.value);
    else
        localStorage.removeItem(draftKey(field));
}

function bringDrafts() {
    const {reason, reason_for: of} = form.elements;
    of.value = [...of.options].map((option) => option.value)
        .find((name) => localStorage.getItem(draftKey(reason, name)) !== null) ?? of.value;
    for (const field of form.querySelectorAll(TYPED))
        field.value = localStorage.getItem(draftKey(field)) ?? field.value;
}

function draftsElsewhere() {
    const posts = Object.keys(localStorage).filter((key) => key.startsWith(`${draftsOf()} `))
        .map((key) => key.split(' ')[2]);
    return [...new Set(posts)].filter((post) => post !== postId);
}

// Saves what is in a field, once; what is typed meanwhile stays a draft.
function saveField(field, body, what, clears) {
    const value = field.value.trim(), key = draftKey(field);
    if (!isTyped(field) || field.dataset.sent === value)
        return;
    field.dataset.sent = value;
    save('/api/decide', {...subject(), ...body}, what, field).then(() => {
        if (localStorage.getItem(key)?.trim() === value)
            localStorage.removeItem(key);
        if (clears && field.value.trim() === value)
            field.value = '';
        if (key === draftKey(field)) // else a reason for another facet is written there
            field.dataset.saved = clears ? '' : value;
        showState();
    }, () => {}).finally(() => { delete field.dataset.sent; });
}

function saveTexts() {
    const {reason, note, reason_for: of} = form.elements;
    if (reason.value.trim() !== '')
        saveField(reason, {reason: reason.value, reason_for: of.value}, `the reason “${reason.value}”`, false);
    if (note.value.trim() !== '')
        saveField(note, {note: note.value}, `the note “${note.value}”`, true);
    for (const facet of facets())
        for (const field of facet.querySelectorAll(TYPED))
            saveField(field, {codes: {[facet.dataset.facet]: codesOf(facet)}}, titleOf(facet), false);
}

// --- the form ---

let current = 0;
let last = null; // the facet that was given last: what a reason is for

function subject() {
    const shown = form.elements.shown !== undefined; // what models say
    return {post_id: postId, problem_id: form.elements.problem.value, shown};
}

function facets() {
    return [...form.querySelectorAll('.facet')];
}

function titleOf(facet) {
    return facet.querySelector('legend span').textContent;
}

function codesOf(facet) {
    return [...facet.querySelectorAll('input:checked, input[type=text], textarea')]
        .map((input) => input.value.trim()).filter((name) => name !== '');
}

function judge(answer) {
    for (const input of form.querySelectorAll('input[name=is_problem]'))
        input.checked = input.value === answer;
}

// The marked facet takes the keys; that of a number takes digits at once.
function mark(index) {
    const all = facets();
    if (all.length === 0)
        return;
    current = Math.max(0, Math.min(index, all.length - 1));
    all.forEach((facet, i) => facet.classList.toggle('current', i === current));
    all[current].scrollIntoView({block: 'nearest'});
    all[current].querySelector('input[inputmode]')?.focus({preventScroll: true});
}

function showGuide(input) {
    const rules = input.closest('.code').querySelectorAll('.rule');
    document.getElementById('guide').replaceChildren(...[...rules].map((rule) => rule.cloneNode(true)));
}

function saveFacet(facet) {
    const codes = codesOf(facet);
    if (codes.length > 0 && form.querySelector('input[name=is_problem]:checked') === null)
        judge('yes');
    last = facet;
    delete form.elements.reason_for.dataset.chosen;
    save('/api/decide', {...subject(), codes: {[facet.dataset.facet]: codes}},
        `${titleOf(facet)}: ${codes.join(', ') || 'none'}`);
}

function refuseMore(facet) {
    alertUser(`${titleOf(facet)}: at most ${facet.dataset.most} codes. Take one back first.`);
}

// A key gives the code, or takes it back. A facet of several codes stays marked.
function toggle(facet, input) {
    const most = Number(facet.dataset.most);
    const given = !input.checked;
    if (given && most > 1 && codesOf(facet).length >= most) {
        refuseMore(facet);
        return;
    }
    input.checked = given;
    if (given)
        showGuide(input);
    saveFacet(facet);
    if (given && most === 1)
        mark(current + 1);
}

// Enter: the next facet; a text is written first.
function goOn(facet) {
    const text = facet?.querySelector('textarea');
    if (text && document.activeElement !== text)
        text.focus();
    else
        mark(current + 1);
}

let hit = -1;

function nextHit() {
    const marks = [...document.querySelectorAll('.thread mark')];
    if (marks.length === 0)
        return;
    marks[hit]?.classList.remove('current');
    hit = (hit + 1) % marks.length;
    marks[hit].classList.add('current');
    marks[hit].scrollIntoView({block: 'center'});
}

function toggleDefinitions() {
    const all = [...facets()[current].querySelectorAll('.definition')];
    const open = !all.every((definition) => definition.open);
    for (const definition of all)
        definition.open = open;
}

// A reason is for the marked facet or, when that has no code yet, for the one that was given last; or for that which is chosen.
function beginReason() {
    const {reason, reason_for: of} = form.elements;
    const facet = [facets()[current], last].find((each) => each && codesOf(each).length > 0);
    const name = facet?.dataset.facet ?? of.options[0].value;
    if (!isTyped(reason) && name !== of.value && of.dataset.chosen === undefined) {
        of.value = name;
        emptyReason();
    }
}

function emptyReason() {
    form.elements.reason.value = '';
    form.elements.reason.dataset.saved = '';
}

function chooseFacetOfReason(of) {
    const {reason} = form.elements;
    of.dataset.chosen = '';
    if (isTyped(reason) && reason.dataset.sent === undefined) {
        for (const {value} of of.options)
            localStorage.removeItem(draftKey(reason, value));
        keepDraft(reason);
        saveTexts();
    } else { // what is there was said for another one
        emptyReason();
    }
}

// The server says where the words are; they go to the reason, which is saved.
async function quote() {
    const text = String(getSelection()).trim();
    if (text === '')
        return;
    const {code, said} = await sendOnce('/api/quote', {post_id: postId, quote: text})
        .catch(() => ({code: 503, said: {error: 'Not quoted: the server does not answer.'}}));
    if (code >= 400) {
        alertUser(said.error);
        return;
    }
    const {reason} = form.elements;
    reason.focus();
    reason.value = `${reason.value} ${said.evidence}`.trim();
    keepDraft(reason);
    reason.blur();
    saveTexts();
}

function showHelp() {
    const keys = document.querySelector('.keys');
    keys.open = !keys.open;
    keys.scrollIntoView({block: 'nearest'});
}

function saveAndGo(body, what) {
    save('/api/decide', {...subject(), ...body}, what);
    leave(`/code?after=${postId}`);
}

const act = {
    'yes': () => {
        judge('yes');
        save('/api/decide', {...subject(), is_problem: true}, 'yes');
    },
    'no': () => {
        judge('no');
        saveTexts();
        saveAndGo({is_problem: false}, 'no');
    },
    'next': () => leave(`/code?after=${postId}`),
    'skip': () => leave(`/code?after=${postId}`),
    'unsure': () => saveAndGo({unsure: true}, 'unsure'),
    'back': () => leave(`/code?back=${postId}`),
    'undo': () => {
        saveTexts();
        leaving = true;
        form.inert = true;
        const undone = save('/api/undo', {post_id: postId}, 'undo');
        afterAll(() => undone.then((said) => goTo(`/code/${said.post_id}`)));
    },
    'problem': () => leave(`/code/${postId}?problem=new`),
    'stay': () => saveTexts(),
    'facet-next': () => mark(current + 1),
    'facet-back': () => mark(current - 1),
    'find': () => facets()[current].querySelector('.filter')?.focus(),
    'new-code': () => facets()[current].querySelector('a.new')?.click(),
    'definitions': toggleDefinitions,
    'reason': () => form.elements.reason.focus(),
    'note': () => form.elements.note.focus(),
    'quote': quote,
    'hit': nextHit,
    'help': showHelp,
};

// --- typing to find a code ---

const FILTERED = 10; // codes: with more, a facet has a field to find them

function addFilter(facet) {
    const codes = [...facet.querySelectorAll('.code:not(.none)')];
    if (codes.length <= FILTERED)
        return;
    const filter = document.createElement('input');
    filter.type = 'search';
    filter.className = 'filter';
    filter.setAttribute('aria-label', `find a code of ${titleOf(facet)}`);
    filter.placeholder = 'type to find';
    filter.addEventListener('input', () => {
        const wanted = filter.value.trim().toLowerCase();
        for (const code of codes)
            code.hidden = !code.querySelector('input').value.toLowerCase().includes(wanted);
    });
    facet.querySelector('legend').after(filter);
}

function onFilterKey(event, facet) {
    const filter = event.target;
    if (event.key !== 'Enter' && event.key !== 'Escape')
        return;
    event.preventDefault();
    const found = facet.querySelector('.code:not([hidden]):not(.none) input');
    const wanted = filter.value.trim();
    if (event.key === 'Enter' && wanted !== '' && found === null) {
        alertUser(`${titleOf(facet)}: no code has “${wanted}” in its name.`);
        return;
    }
    filter.value = '';
    filter.dispatchEvent(new Event('input'));
    filter.blur();
    current = facets().indexOf(facet);
    if (event.key === 'Enter' && wanted !== '')
        toggle(facet, found);
}

// --- keys on the form ---

// True: the key is not text, so it is ours.
function onWriting(event) {
    const {target, key} = event;
    const facet = target.closest('.facet');
    if (target.matches('.filter')) {
        onFilterKey(event, facet);
    } else if (key === 'Escape') {
        target.blur();
    } else if (key === 'Enter' && facet !== null && !event.shiftKey) {
        event.preventDefault();
        target.blur();
        mark(facets().indexOf(facet) + 1);
    } else if (target.matches('input[inputmode]') &&
               (key.length === 1 ? !/[\d.,+-]/.test(key) : key === 'ArrowLeft' || key === 'ArrowRight')) {
        target.blur();
        return true;
    }
    return false;
}

function onKey(event) {
    if (isBrowsers(event) || event.repeat || ['Shift', 'Tab', 'CapsLock'].includes(event.key))
        return;
    if (leaving) {
        event.preventDefault();
        missed.push(event.key);
        return;
    }
    if (isWriting(event.target) && !onWriting(event))
        return;
    const facet = facets()[current];
    const input = [...(facet?.querySelectorAll('input[data-key]') ?? [])]
        .find((each) => each.dataset.key !== '' && each.dataset.key === event.key);
    const command = commandOf(event);
    const enters = event.key === 'Enter' && event.target.closest('button, a, summary') === null;
    if (command === undefined && input === undefined && !enters)
        return;
    event.preventDefault();
    alertUser('');
    if (command !== undefined)
        act[command]();
    else if (input !== undefined)
        toggle(facet, input);
    else
        goOn(facet);
}

function onChange(event) {
    const input = event.target;
    const facet = input.closest('.facet');
    if (leaving || input.matches('.filter, [name=reason]')) // a reason is saved when its fields are left
        return;
    if (input.name === 'reason_for') {
        chooseFacetOfReason(input);
        return;
    }
    if (input.name === 'is_problem') {
        save('/api/decide', {...subject(), is_problem: input.value === 'yes'}, input.value);
    } else if (input.matches(TYPED)) {
        if (facet !== null)
            last = facet;
        saveTexts();
    } else if (codesOf(facet).length > Number(facet.dataset.most)) {
        input.checked = false;
        refuseMore(facet);
    } else {
        mark(facets().indexOf(facet));
        if (input.checked && input.value !== '')
            showGuide(input);
        saveFacet(facet);
    }
}

function onInput(event) {
    if (event.target.matches(TYPED)) {
        keepDraft(event.target);
        if (waiting === 0 && faults.size === 0)
            showState();
    }
}

function onSubmit(event) {
    event.preventDefault();
    if (!leaving)
        act[event.submitter?.value ?? 'stay']();
}

function beginCoding() {
    postId = form.dataset.post;
    last = null;
    hit = -1;
    form.addEventListener('change', onChange);
    form.addEventListener('input', onInput);
    form.addEventListener('focusout', (event) => {
        const {target, relatedTarget: next} = event;
        if (!leaving && target.matches(`${TYPED}, [name=reason_for]`) && !(target.name === 'reason' && next?.name === 'reason_for'))
            saveTexts();
    });
    form.elements.reason.addEventListener('focus', beginReason);
    form.addEventListener('submit', onSubmit);
    facets().forEach(addFilter);
    bringDrafts();
    showState();
    document.querySelector('.thread')?.focus({preventScroll: true});
    const open = facets().findIndex((facet) => codesOf(facet).length === 0);
    mark(open < 0 ? 0 : open);
}

// --- the page of screening ---

// The page goes on once the answer is saved; a second key meanwhile is none.
function answer(value) {
    if (leaving)
        return;
    leaving = true;
    const {post, order} = screening.dataset;
    save('/api/screen', {post_id: post, answer: value, order}, value)
        .then(() => goTo(`/screen?order=${order}`), () => { leaving = false; });
}

function onScreenKey(event) {
    const command = isBrowsers(event) || isWriting(event.target) ? undefined : commandOf(event);
    const button = screening.querySelector(`button[value=${command}]`);
    if (command === undefined || (button === null && command !== 'hit' && command !== 'help'))
        return;
    event.preventDefault();
    if (event.repeat)
        return;
    if (leaving)
        missed.push(event.key);
    else if (button !== null)
        button.click();
    else
        act[command]();
}

function beginScreening() {
    for (const value of ['yes', 'no', 'unsure'])
        screening.querySelector(`button[value=${value}]`).addEventListener('click', (event) => {
            event.preventDefault();
            answer(value);
        });
    document.querySelector('.thread')?.focus({preventScroll: true});
}

// --- the page of keys ---

async function changeKey(body) {
    const {code, said} = await sendOnce('/api/keys', body);
    if (code < 400)
        location.reload();
    else
        say(said.error, 'bad');
}

function beginKeys() {
    let chosen = null;
    document.getElementById('change-keys').hidden = false;
    for (const row of document.querySelectorAll('tr[data-what]')) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = 'change';
        button.setAttribute('aria-label', `change ${row.dataset.what}`);
        button.addEventListener('click', () => {
            chosen = row.dataset.what;
            say(`press the new key of “${chosen}”, or Escape`, 'busy');
        });
        row.append(document.createElement('td'));
        row.lastChild.append(button);
    }
    addEventListener('keydown', (event) => {
        if (chosen === null || ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Tab'].includes(event.key))
            return;
        event.preventDefault();
        const what = chosen;
        chosen = null;
        say('', '');
        if (event.key !== 'Escape')
            changeKey({what, key: event.key});
    });
    document.getElementById('reset-keys').addEventListener('click', () => changeKey({reset: true}));
}

// --- code and tables that are wider than their place scroll, by keyboard too ---

function reachWide() {
    for (const wide of document.querySelectorAll('.body pre, main table'))
        if (wide.scrollWidth > wide.clientWidth)
            wide.tabIndex = 0;
        else
            wide.removeAttribute('tabindex');
}

// --- all of them ---

function begin() {
    form = document.getElementById('coding');
    screening = document.getElementById('screening');
    state = document.getElementById('state');
    reachWide();
    showKeys();
    if (form !== null)
        beginCoding();
    if (screening !== null)
        beginScreening();
    if (document.getElementById('change-keys') !== null)
        beginKeys();
    if (state !== null)
        document.body.dataset.ready = 'yes';
}

addEventListener('resize', reachWide);
addEventListener('popstate', () => location.reload());
addEventListener('keydown', (event) => {
    if (form !== null)
        onKey(event);
    else if (screening !== null)
        onScreenKey(event);
});
addEventListener('beforeunload', (event) => {
    if (waiting > 0)
        event.preventDefault();
});
begin();
