"""Writes a small labelled image set in the IDX format of MNIST: an image of class k has a bright bar in row group k, with noise.

usage: MakeIdx.py FOLDER
"""
import pathlib
import random
import struct
import sys


def image(label, rng):
    pixels = bytearray(rng.randrange(40) for _ in range(28 * 28))
    for row in range(3 + 2 * label, 5 + 2 * label):
        for column in range(4, 24):
            pixels[28 * row + column] = 200 + rng.randrange(56)
    return bytes(pixels)


def write(folder, prefix, count, rng):
    labels = [i % 10 for i in range(count)]
    rng.shuffle(labels)
    images = b"".join(image(label, rng) for label in labels)
    (folder / f"{prefix}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 2051, count, 28, 28) + images)
    (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, count) + bytes(labels))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(7)
    write(folder, "train", 1000, rng)
    write(folder, "t10k", 200, rng)


main()
