// page.js: keys, and saving at every key. Everything works without it, as a form.

const form = document.getElementById('coding');
const screening = document.getElementById('screening');
const state = document.getElementById('state');

// --- keys: as the page has them, with what the coder changed ---

const KEY_NAMES = {ArrowRight: '→', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓'};
const commandKeys = new Map([...document.querySelectorAll('.keys kbd')]
    .map((kbd) => [kbd.dataset.command, kbd.dataset.key]));

function showKeys() {
    for (const kbd of document.querySelectorAll('kbd')) {
        const key = commandKeys.get(kbd.dataset.command) ?? kbd.textContent;
        kbd.textContent = KEY_NAMES[key] ?? key;
    }
}

function isWriting(target) {
    return target.closest?.('textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])');
}

// --- saving: one request after the other; what fails for a moment is sent again ---

let waiting = 0;
let chain = Promise.resolve();

function say(text, kind) {
    state.textContent = text;
    state.className = kind;
}

async function sendOnce(path, body) {
    const answer = await fetch(path, {
        method: 'POST',
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify(body),
    });
    const said = await answer.json();
    return {code: answer.status, said};
}

async function sendUntilDone(path, body) {
    for (let pause = 250; ; pause = Math.min(2 * pause, 5000)) {
        try {
            const {code, said} = await sendOnce(path, body);
            if (code < 400)
                return said;
            if (code !== 503)
                throw new RangeError(said.error);
            say('NOT SAVED yet: the database is busy; trying again', 'bad');
        } catch (error) {
            if (error instanceof RangeError)
                throw error;
            say('NOT SAVED: the server does not answer; trying again', 'bad');
        }
        await new Promise((done) => setTimeout(done, pause));
    }
}

function save(path, body) {
    waiting++;
    say('saving…', 'busy');
    chain = chain.then(async () => {
        const said = await sendUntilDone(path, body);
        waiting--;
        if (waiting === 0)
            say('all is saved', 'good');
        showProgress(said);
    }).catch((error) => {
        waiting--;
        say(`NOT SAVED: ${error.message}`, 'bad');
        throw error;
    });
    const sent = chain;
    chain = chain.catch(() => {});
    sent.catch(() => {});
    return sent;
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

// --- the form ---

const postId = form === null ? '' : form.dataset.post;

function subject() {
    return {post_id: postId, problem_id: form.elements.problem.value};
}

function facets() {
    return [...form.querySelectorAll('.facet')];
}

function codesOf(facet) {
    return [...facet.querySelectorAll('input:checked, input[type=text], textarea, select')]
        .map((input) => input.value.trim()).filter((name) => name !== '');
}

function judge(answer) {
    for (const input of form.querySelectorAll('input[name=is_problem]'))
        input.checked = input.value === answer;
}

let current = 0;

function mark(index) {
    const all = facets();
    if (all.length === 0)
        return;
    current = Math.max(0, Math.min(index, all.length - 1));
    all.forEach((facet, i) => facet.classList.toggle('current', i === current));
    all[current].scrollIntoView({block: 'nearest'});
}

function showGuide(input) {
    const rules = input.closest('.code').querySelectorAll('.rule');
    document.getElementById('guide').replaceChildren(...[...rules].map((rule) => rule.cloneNode(true)));
}

function saveFacet(facet) {
    if (codesOf(facet).length > 0)
        judge('yes');
    save('/api/decide', {...subject(), codes: {[facet.dataset.facet]: codesOf(facet)}});
}

// A key gives the code, or takes it back; with as many as there may be, the last one makes room.
function toggle(facet, input) {
    const most = Number(facet.dataset.most);
    const given = !input.checked;
    const others = [...facet.querySelectorAll('input:checked')].filter((other) => other.value !== '');
    if (given && others.length >= most)
        others[others.length - 1].checked = false;
    input.checked = given;
    if (given)
        showGuide(input);
    saveFacet(facet);
    if (given)
        mark(current + 1);
}

function go(address) {
    saveTexts();
    chain.then(() => {
        if (state.className !== 'bad')
            location.assign(address);
    });
}

function click(value) {
    saveTexts();
    chain.then(() => form.querySelector(`button[value=${value}]`).click());
}

function saveTexts() {
    const {reason, note} = form.elements;
    if (reason.value.trim() !== (reason.dataset.saved ?? '')) {
        reason.dataset.saved = reason.value.trim();
        saveReason();
    }
    if (note.value.trim() !== '') {
        save('/api/decide', {...subject(), note: note.value});
        note.value = '';
    }
}

function saveReason() {
    const body = {...subject(), reason: form.elements.reason.value, codes: {}};
    for (const facet of facets())
        if (codesOf(facet).length > 0)
            body.codes[facet.dataset.facet] = codesOf(facet);
    const judged = form.querySelector('input[name=is_problem]:checked');
    if (judged !== null)
        body.is_problem = judged.value === 'yes';
    save('/api/decide', body);
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

// The server says where the words are; they go to the reason, which is saved.
async function quote() {
    const text = String(getSelection()).trim();
    if (text === '')
        return;
    const {code, said} = await sendOnce('/api/quote', {post_id: postId, quote: text});
    if (code >= 400) {
        say(said.error, 'bad');
        return;
    }
    const {reason} = form.elements;
    reason.value = `${reason.value} ${said.evidence}`.trim();
    saveTexts();
}

function showHelp() {
    const keys = document.querySelector('.keys');
    keys.open = !keys.open;
    keys.scrollIntoView({block: 'nearest'});
}

const act = {
    'yes': () => {
        judge('yes');
        save('/api/decide', {...subject(), is_problem: true});
    },
    'no': () => {
        judge('no');
        save('/api/decide', {...subject(), is_problem: false});
        go(`/code?after=${postId}`);
    },
    'next': () => go(`/code?after=${postId}`),
    'skip': () => go(`/code?after=${postId}`),
    'unsure': () => {
        save('/api/decide', {...subject(), unsure: true});
        go(`/code?after=${postId}`);
    },
    'back': () => click('back'),
    'undo': () => click('undo'),
    'problem': () => click('problem'),
    'facet-next': () => mark(current + 1),
    'facet-back': () => mark(current - 1),
    'definitions': toggleDefinitions,
    'reason': () => form.elements.reason.focus(),
    'note': () => form.elements.note.focus(),
    'quote': quote,
    'hit': nextHit,
    'help': showHelp,
};

function commandOf(event) {
    return [...commandKeys].find(([, key]) => key === event.key)?.[0];
}

// Whether the key is one of ours: not in a text, nor one of the browser's.
function isForUs(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing)
        return false;
    if (!isWriting(event.target))
        return true;
    if (event.key === 'Escape')
        event.target.blur();
    return false;
}

function onKey(event) {
    if (!isForUs(event))
        return;
    const facet = facets()[current];
    const input = [...(facet?.querySelectorAll('input[data-key]') ?? [])]
        .find((each) => each.dataset.key !== '' && each.dataset.key === event.key);
    const command = commandOf(event);
    if (command === undefined && input === undefined)
        return;
    event.preventDefault();
    if (event.repeat)
        return;
    if (command !== undefined)
        act[command]();
    else
        toggle(facet, input);
}

function onChange(event) {
    const input = event.target;
    const facet = input.closest('.facet');
    if (input.name === 'is_problem') {
        save('/api/decide', {...subject(), is_problem: input.value === 'yes'});
    } else if (facet !== null) {
        const chosen = codesOf(facet);
        if (chosen.length > Number(facet.dataset.most)) {
            input.checked = false;
            return;
        }
        mark(facets().indexOf(facet));
        if (input.checked && input.value !== '')
            showGuide(input);
        saveFacet(facet);
    } else {
        saveTexts();
    }
}

function stayWhileSaving() {
    addEventListener('beforeunload', (event) => {
        if (waiting > 0)
            event.preventDefault();
    });
}

function beginCoding() {
    form.addEventListener('change', onChange);
    addEventListener('keydown', onKey);
    stayWhileSaving();
    const open = facets().findIndex((facet) => codesOf(facet).length === 0);
    mark(open < 0 ? 0 : open);
    document.querySelector('.thread')?.focus({preventScroll: true});
    document.body.dataset.ready = 'yes';
}

// --- the page of screening ---

let answered = false;

// The page goes on once the answer is saved; a second key meanwhile is none.
function answer(value) {
    if (answered)
        return;
    answered = true;
    const {post, order} = screening.dataset;
    save('/api/screen', {post_id: post, answer: value, order})
        .then(() => location.assign(`/screen?order=${order}`))
        .catch(() => { answered = false; });
}

function onScreenKey(event) {
    const command = isForUs(event) ? commandOf(event) : undefined;
    const button = screening.querySelector(`button[value=${command}]`);
    if (command === undefined || (button === null && command !== 'hit' && command !== 'help'))
        return;
    event.preventDefault();
    if (event.repeat)
        return;
    if (button !== null)
        button.click();
    else
        act[command]();
}

function beginScreening() {
    addEventListener('keydown', onScreenKey);
    stayWhileSaving();
    for (const value of ['yes', 'no', 'unsure'])
        screening.querySelector(`button[value=${value}]`).addEventListener('click', (event) => {
            event.preventDefault();
            answer(value);
        });
    document.querySelector('.thread')?.focus({preventScroll: true});
    document.body.dataset.ready = 'yes';
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
    document.body.dataset.ready = 'yes';
}

// --- code and tables that are wider than their place scroll, by keyboard too ---

function reachWide() {
    for (const wide of document.querySelectorAll('.body pre, main table'))
        if (wide.scrollWidth > wide.clientWidth)
            wide.tabIndex = 0;
        else
            wide.removeAttribute('tabindex');
}

reachWide();
addEventListener('resize', reachWide);
showKeys();
if (form !== null)
    beginCoding();
if (screening !== null)
    beginScreening();
if (document.getElementById('change-keys') !== null)
    beginKeys();
