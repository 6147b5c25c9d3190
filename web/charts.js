// charts.js: draws the tables of a page with Observable Plot. What is drawn is read from the tables.

const WIDTH = 760;

const textOf = (cell) => cell.textContent.trim();
const valueOf = (cell) => parseFloat(textOf(cell)) / (textOf(cell).endsWith('%') ? 100 : 1);
const placeOf = (cell) => cell.querySelector('a')?.getAttribute('href');

function read(table) {
    const head = [...table.querySelectorAll('thead th')];
    return {title: textOf(table.querySelector('caption')).split('. ')[0], names: head.map(textOf),
            numbers: head.map((th) => th.classList.contains('n')),
            rows: [...table.querySelectorAll('tbody tr')].map((tr) => [...tr.cells])};
}

// The last text before the first number: "2019", "slow execution time".
function nameOf(t, row) {
    const end = Math.max(1, t.numbers.indexOf(true));
    return row.slice(0, end).map(textOf).filter((text) => text !== '' && text !== '–').pop() ?? '';
}

// Shares with their intervals: the count before each, at most two; "with any" is what a problem has of several.
function shares(t) {
    const at = t.names.flatMap((name, i) => name === 'share' && t.names[i + 1] === '95% from' && i > 0 &&
                               t.numbers[i - 1] && t.names[i - 1] !== 'with any' ? [i] : []).slice(0, 2);
    const data = t.rows.flatMap((row) => at.map((i) => (
        {name: nameOf(t, row), of: t.names[i - 1], n: valueOf(row[i - 1]), share: valueOf(row[i]),
         low: valueOf(row[i + 1]), high: valueOf(row[i + 2]), href: placeOf(row[i - 1])})));
    if (data.length === 0)
        return null;
    const channels = {n: 'n', '95% from': (d) => d.low, to: (d) => d.high};
    const place = {fy: 'name', y: 'of'}, series = at.map((i) => t.names[i - 1]);
    return {data, names: (d) => [d.name], options: (shown) => ({
        marginLeft: 230, marginRight: 110, height: 40 + 26 * shown.length,
        x: {percent: true, label: 'share, %', grid: true}, y: {axis: null, domain: series},
        fy: {axis: 'left', label: null, domain: [...new Set(shown.map((d) => d.name))]},
        color: {legend: at.length > 1, domain: series, range: ['var(--accent)', 'var(--good)']},
        marks: [Plot.barX(shown, {x: 'share', fill: 'of', channels, tip: true, ...place}),
                Plot.link(shown, {x1: 'low', x2: 'high', y1: 'of', y2: 'of', fy: 'name', stroke: 'currentColor'}),
                Plot.text(shown, {x: 'high', dx: 6, textAnchor: 'start', ...place,
                                  text: (d) => `${d.n} (${(100 * d.share).toFixed(1)} %)`})]})};
}

// Rows by columns of counts; a table by year, tag or site has its columns in the first one.
function counts(t) {
    const at = t.names.indexOf('n'), isGrouped = ['year', 'tag', 'site'].includes(t.names[0]) && at > 1 &&
        !t.numbers.slice(0, at).includes(true);
    const columns = t.names.map((_, i) => i).slice(1).filter((i) => t.names[i] !== 'total');
    let data = [];
    if (isGrouped)
        data = t.rows.map((row) => ({row: nameOf(t, row), column: textOf(row[0]), n: valueOf(row[at]), href: placeOf(row[at])}));
    else if (columns.length > 1 && !t.numbers[0] && t.rows.every((row) => columns.every((i) => /^\d+$/.test(textOf(row[i])))))
        data = t.rows.flatMap((row) => columns.map((i) => (
            {row: nameOf(t, row), column: t.names[i], n: valueOf(row[i]), href: placeOf(row[i])})));
    if (data.length === 0)
        return null;
    return {data, names: (d) => [d.row, d.column], options: (shown) => {
        const rows = [...new Set(shown.map((d) => d.row))], most = Math.max(...shown.map((d) => d.n));
        return {
            marginLeft: 230, marginTop: 150, marginRight: 60, height: 170 + 24 * rows.length,
            x: {axis: 'top', label: null, tickRotate: -40, domain: [...new Set(shown.map((d) => d.column))]},
            y: {label: null, domain: rows}, opacity: {type: 'sqrt', domain: [0, most], range: [0, 0.5]},
            marks: [Plot.cell(shown, {x: 'column', y: 'row', fill: 'var(--accent)', fillOpacity: 'n', inset: 1, tip: true}),
                    Plot.text(shown.filter((d) => d.n > 0), {x: 'column', y: 'row', text: 'n'})]};
    }};
}

// Kappas with their intervals, window by window.
function course(t) {
    const at = t.names.indexOf('kappa'), window = t.names.indexOf('window');
    if (at < 0 || window < 0)
        return null;
    const data = t.rows.map((row) => (
        {facet: textOf(row[0]), pair: row.slice(1, window).map(textOf).join(' – '), window: valueOf(row[window]),
         kappa: valueOf(row[at]), low: valueOf(row[at + 1]), high: valueOf(row[at + 2])})).filter((d) => !isNaN(d.kappa));
    return {data, names: (d) => [d.facet, d.pair], options: (shown) => ({
        height: 60 + 130 * new Set(shown.map((d) => d.facet)).size, marginRight: 150,
        x: {label: 'window', tickFormat: 'd', interval: 1}, y: {label: 'kappa', domain: [Math.min(0, ...shown.map((d) => d.low || 0)), 1], grid: true},
        fy: {label: null}, color: {legend: true, scheme: 'observable10'},
        marks: [Plot.ruleX(shown, {x: 'window', fy: 'facet', y1: 'low', y2: 'high', stroke: 'pair'}),
                Plot.lineY(shown, {x: 'window', fy: 'facet', y: 'kappa', stroke: 'pair'}),
                Plot.dot(shown, {x: 'window', fy: 'facet', y: 'kappa', fill: 'pair', tip: true})]})};
}

// As a file: without the page's style sheet, so the colours are written out.
function fileOf(figure) {
    const style = getComputedStyle(figure), svg = figure.querySelector('svg.chart').cloneNode(true);
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    Object.assign(svg.style, {background: style.getPropertyValue('--ground'), color: style.color, font: '12px sans-serif'});
    const text = new XMLSerializer().serializeToString(svg);
    return new Blob([text.replace(/var\((--[a-z-]+)\)/g, (_, name) => style.getPropertyValue(name).trim())],
                    {type: 'image/svg+xml'});
}

async function pictureOf(blob, svg) {
    const image = new Image(), canvas = document.createElement('canvas');
    image.src = URL.createObjectURL(blob);
    await image.decode();
    canvas.width = 2 * svg.getAttribute('width');
    canvas.height = 2 * svg.getAttribute('height');
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

function save(blob, name) {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

function buttonOf(text, act) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.addEventListener('click', act);
    return button;
}

// The policy of the pages takes no style element; what it says is in style.css.
function draw(chart, shown, title) {
    const drawn = Plot.plot({...chart.options(shown), width: WIDTH, className: 'chart', style: {overflow: 'visible'}});
    for (const style of drawn.querySelectorAll('style'))
        style.remove();
    for (const group of drawn.querySelectorAll('g[aria-label]')) { // a name that only a role could have
        group.dataset.mark = group.getAttribute('aria-label');
        group.removeAttribute('aria-label');
    }
    const svg = drawn.matches('svg') ? drawn : drawn.querySelector('svg.chart');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${title}: the table above has the same numbers`);
    svg.addEventListener('click', () => {
        if (svg.value?.href || drawn.value?.href)
            location = (drawn.value ?? svg.value).href;
    });
    return drawn;
}

function add(section, t, chart) {
    const figure = document.createElement('figure'), tools = document.createElement('p'), field = document.createElement('input');
    const label = document.createElement('label');
    let drawn = draw(chart, chart.data, t.title);
    field.type = 'search';
    label.append('Filter ', field);
    field.addEventListener('input', () => {
        const wanted = field.value.trim().toLowerCase();
        const shown = chart.data.filter((d) => chart.names(d).some((name) => name.toLowerCase().includes(wanted)));
        const next = shown.length > 0 ? draw(chart, shown, t.title) : document.createElement('p');
        drawn.replaceWith(next);
        drawn = next;
    });
    tools.className = 'tools';
    tools.append(label, buttonOf('SVG', () => save(fileOf(figure), `${section.id}.svg`)),
                 buttonOf('PNG', async () => save(await pictureOf(fileOf(figure), figure.querySelector('svg.chart')),
                                                  `${section.id}.png`)));
    figure.append(tools, drawn);
    section.append(figure);
}

for (const section of document.querySelectorAll('main section:has(> table)')) {
    const t = read(section.querySelector('table')), chart = course(t) ?? counts(t) ?? shares(t);
    if (chart !== null && chart.data.length > 0)
        add(section, t, chart);
}
document.body.dataset.charts = 'yes';
