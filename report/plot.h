/* plot: what is drawn, and with which data. For report only. */
#pragma once

#include "report/tables.h"

/* A plot is a data file and the commands of gnuplot that draw it, for any terminal. */
struct drawing {
    const char *name; /* of the files, without their ends */
    const struct report_data *data;
    const struct counts *counts;
    const struct report_statistic *what;
    const struct pairs *pairs;                  /* of it */
    const struct report_ratios *ratios;         /* only of draw_ratios */
    const struct report_recall *recall;         /* only of draw_recall */
    const struct report_saturation *saturation; /* only of draw_saturation */
    int width, height;                          /* pixels, 96 to the inch; `draw` sets them */
    struct buf points, commands;
};

void draw_bars(struct drawing *d);
void draw_heatmap(struct drawing *d);
void draw_flow(struct drawing *d);
void draw_numbers(struct drawing *d);
void draw_ratios(struct drawing *d);
void draw_recall(struct drawing *d);
void draw_saturation(struct drawing *d);
bool has_ratio(const struct report_ratios *ratios); /* is there anything to draw? */

/* 'text' as gnuplot reads it, character by character. */
void add_quoted(struct buf *out, struct span text);
void add_quoted_tic(struct buf *out, struct span text); /* at an axis */
void add_quoted_bold(struct buf *out, struct span text);
