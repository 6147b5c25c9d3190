// page.js: keys, and saving at every key. Everything works without it, as a form.

const form = document.getElementById('coding');
const state = document.getElementById('state');

// --- keys: as they are in the page, and as the coder changed them ---

const STORED = 'ppmine-keys';

function storedKeys() {
    try {
        const keys = JSON.parse(localStorage.getItem(STORED) ?? '{}');
        return keys !== null && typeof keys === 'object' ? keys : {};
    } catch {
        return {};
    }
}

const commandKeys = new Map([
    ['yes', 'y'], ['no', 'n'], ['next', 'l'], ['skip', 'k'], ['unsure', 'u'], ['back', 'j'],
    ['undo', 'o'], ['facet-next', 'ArrowRight'], ['facet-back', 'ArrowLeft'], ['problem', 'p'],
    ['definitions', 'i'], ['reason', 'h'], ['note', 'm'], ['quote', ';'], ['hit', '.'], ['help', '?'],
]);
for (const [command, key] of Object.entries(storedKeys()))
    if (commandKeys.has(command) && typeof key === 'string')
        commandKeys.set(command, key);

function showKeys() {
    const names = {ArrowRight: '→', ArrowLeft: '←', ' ': 'Space'};
    for (const kbd of document.querySelectorAll('kbd[data-command], tr[data-command] kbd')) {
        const command = kbd.dataset.command ?? kbd.closest('tr').dataset.command;
        const key = commandKeys.get(command) ?? '';
        kbd.textContent = names[key] ?? key;
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
    const bar = form.querySelector('progress');
    if (bar === null || said.total === undefined)
        return;
    bar.max = Math.max(said.total, 1);
    bar.value = said.judged;
    bar.nextSibling.textContent = ` ${said.judged} of ${said.total}` + (said.posts_per_hour === null ? ''
        : `, ${Math.round(said.posts_per_hour)} an hour, ${said.hours_left.toFixed(1)} hours left`);
}

// --- the form ---

const postId = form === null ? 0 : Number(form.dataset.post);

function subject() {
    return {post_id: postId, problem_id: form.elements.problem.value};
}

function facets() {
    return [...form.querySelectorAll('.facet')];
}

function codesOf(facet) {
    return [...facet.querySelectorAll('input:checked')].map((input) => input.value)
        .filter((name) => name !== '');
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
    'help': () => {
        const keys = form.querySelector('.keys');
        keys.open = !keys.open;
        keys.scrollIntoView({block: 'nearest'});
    },
};

function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing)
        return;
    if (isWriting(event.target)) {
        if (event.key === 'Escape')
            event.target.blur();
        return;
    }
    const facet = facets()[current];
    const input = [...(facet?.querySelectorAll('input[data-key]') ?? [])]
        .find((each) => each.dataset.key !== '' && each.dataset.key === event.key);
    const command = [...commandKeys].find(([, key]) => key === event.key)?.[0];
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

function beginCoding() {
    form.addEventListener('change', onChange);
    addEventListener('keydown', onKey);
    addEventListener('beforeunload', (event) => {
        if (waiting > 0)
            event.preventDefault();
    });
    const open = facets().findIndex((facet) => codesOf(facet).length === 0);
    mark(open < 0 ? 0 : open);
    document.querySelector('.thread')?.focus({preventScroll: true});
    document.body.dataset.ready = 'yes';
}

// --- the page of keys ---

function beginKeys() {
    const hint = document.getElementById('change-keys');
    let chosen = null;
    hint.hidden = false;
    for (const row of document.querySelectorAll('tr[data-command]')) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = 'change';
        button.addEventListener('click', () => {
            chosen = row.dataset.command;
            button.textContent = 'press a key…';
        });
        row.append(Object.assign(document.createElement('td')));
        row.lastChild.append(button);
    }
    addEventListener('keydown', (event) => {
        if (chosen === null || ['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(event.key))
            return;
        event.preventDefault();
        commandKeys.set(chosen, event.key);
        localStorage.setItem(STORED, JSON.stringify({...storedKeys(), [chosen]: event.key}));
        for (const button of document.querySelectorAll('tr[data-command] button'))
            button.textContent = 'change';
        chosen = null;
        showKeys();
    });
    document.getElementById('reset-keys').addEventListener('click', () => {
        localStorage.removeItem(STORED);
        location.reload();
    });
}

showKeys();
if (form !== null)
    beginCoding();
if (document.getElementById('change-keys') !== null)
    beginKeys();
