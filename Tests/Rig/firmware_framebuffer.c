// SPDX-License-Identifier: MIT
// Provides a lit frame buffer, as firmware does for the kernel's simpledrm: the memory of QEMU's
// bochs-display, whose own driver must be absent, in the preferred size of the display's EDID.
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_data/simplefb.h>
#include <linux/platform_device.h>

// QEMU, docs/specs/standard-vga.rst: the third region holds the EDID and indexed 16-bit registers.
enum { MEMORY = 0, REGISTERS = 2, EDID = 0, DISPI = 0x500 };
enum { XRES = 1, YRES = 2, BPP = 3, ENABLE = 4, ENABLED = 0x01, LINEAR = 0x40 };

static struct platform_device *framebuffer;
static struct pci_dev *card;

static void set(void __iomem *registers, unsigned int index, u16 value)
{
	writew(value, registers + DISPI + 2 * index);
}

// VESA E-EDID, first detailed timing: the low eight bits, and the high four in another byte.
static unsigned int pixels(void __iomem *registers, unsigned int low, unsigned int high)
{
	return readb(registers + EDID + low) | (readb(registers + EDID + high) & 0xf0) << 4;
}

static int __init framebuffer_init(void)
{
	struct simplefb_platform_data data = { .format = "x8r8g8b8" };
	struct resource memory = { .flags = IORESOURCE_MEM, .name = "firmware" };
	void __iomem *registers;

	card = pci_get_device(0x1234, 0x1111, NULL);
	if (!card)
		return -ENODEV;
	if (pci_enable_device(card) || !(registers = pci_iomap(card, REGISTERS, 0))) {
		pci_dev_put(card);
		return -ENODEV;
	}
	data.width = pixels(registers, 56, 58);
	data.height = pixels(registers, 59, 61);
	data.stride = data.width * 4;
	memory.start = pci_resource_start(card, MEMORY);
	memory.end = memory.start + data.stride * data.height - 1;
	set(registers, ENABLE, 0);
	set(registers, XRES, data.width);
	set(registers, YRES, data.height);
	set(registers, BPP, 32);
	set(registers, ENABLE, ENABLED | LINEAR);
	pci_iounmap(card, registers);

	framebuffer = platform_device_register_resndata(NULL, "simpledrm", 0, &memory, 1, &data, sizeof(data));
	if (IS_ERR(framebuffer)) {
		pci_dev_put(card);
		return PTR_ERR(framebuffer);
	}
	return 0;
}

static void __exit framebuffer_exit(void)
{
	platform_device_unregister(framebuffer);
	pci_dev_put(card);
}

module_init(framebuffer_init);
module_exit(framebuffer_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("A frame buffer as firmware leaves it");
